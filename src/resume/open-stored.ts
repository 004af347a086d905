import type { Cassette } from '../cassette/format/cassette.ts'
import { readConversations, type Conversation } from '../conversation/conversation.ts'
import { findPictures, type Pictures } from '../conversation/transcript/pictures.ts'
import type { ConversationMetadata } from '../conversation/store/conversation-metadata.ts'
import { cassetteOfStored, conversationsOf } from '../conversation/store/stored-conversation.ts'
import type { ConversationProblem } from '../conversation/store/stored-message.ts'
import { WorkspaceFolder } from './workspace-folder.ts'

/** The readable parts of a stored conversation. */
export interface OpenedConversation {
  metadata: ConversationMetadata
  conversations: Conversation[]
  pictures: Pictures
  /** The exchanges that can be read; absent if there are none. */
  cassette?: Cassette
  problems: ConversationProblem[]
}

/**
 * Opens a stored conversation from its exchanges if they are complete, otherwise from its message lines.
 *
 * @throws CassetteError `invalid-conversation` for an id that does not exist.
 */
export function openStored(id: string, store: string, directory: string): OpenedConversation {
  const conversations = new WorkspaceFolder(store, directory)
  const stored = conversations.read(id)
  const { metadata } = stored
  const whole = cassetteOfStored(stored, (name) => conversations.readBlob(id, name))
  const problems = [...stored.problems, ...(whole?.problems ?? [])]
  // Metadata can be computed again; a lost line cannot.
  if (whole && problems.every(({ file }) => file === 'metadata.json')) {
    const { cassette } = whole
    const pictures = findPictures(cassette.exchanges)
    return { metadata, conversations: readConversations(cassette), pictures, cassette, problems }
  }
  return {
    metadata,
    conversations: conversationsOf(stored),
    pictures: new Map(),
    ...(whole && whole.cassette.exchanges.length > 0 ? { cassette: whole.cassette } : {}),
    problems,
  }
}
