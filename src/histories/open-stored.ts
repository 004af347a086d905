import type { Cassette } from '../cassette/cassette.ts'
import { readConversations, type Conversation } from '../conversation/conversation.ts'
import { findPictures, type Pictures } from '../conversation/find-pictures.ts'
import type { ConversationMetadata } from './conversation-metadata.ts'
import { cassetteOfStored, storedThreads } from './stored-conversation.ts'
import type { ConversationProblem } from './stored-message.ts'
import { WorkspaceFolder, type ReadConversation } from './workspace-folder.ts'

/** The readable parts of a stored conversation. */
interface OpenedConversation {
  conversations: Conversation[]
  pictures: Pictures
  /** The exchanges that can be read; absent if there are none. */
  cassette?: Cassette
  problems: ConversationProblem[]
  /** True when a line of it could not be read. */
  isDamaged: boolean
}

/**
 * Opens a stored conversation by its id.
 *
 * @throws CassetteError `invalid-conversation` for an id that does not exist.
 */
export function openStored(
  id: string,
  store: string,
  directory: string,
): OpenedConversation & { metadata: ConversationMetadata } {
  const folder = new WorkspaceFolder(store, directory)
  const stored = folder.read(id)
  const opened = openConversation(stored, (name) => folder.readBlob(id, name))
  return { metadata: stored.metadata, ...opened }
}

/**
 * Reads a stored conversation from its exchanges if they are complete, otherwise from its message lines.
 *
 * @param load reads a file of its `blobs` folder
 */
export function openConversation(
  stored: ReadConversation,
  load: (name: string) => Buffer,
): OpenedConversation {
  const whole = cassetteOfStored(stored, load)
  const problems = [...stored.problems, ...(whole?.problems ?? [])]
  // Metadata can be computed again; a lost line cannot.
  const isDamaged = problems.some(({ file }) => file !== 'metadata.json')
  const cassette = whole?.cassette
  if (!cassette || isDamaged)
    return {
      conversations: storedThreads(stored),
      pictures: new Map(),
      ...(cassette && cassette.exchanges.length > 0 ? { cassette } : {}),
      problems,
      isDamaged,
    }
  const pictures = findPictures(cassette.exchanges)
  return { conversations: readConversations(cassette), pictures, cassette, problems, isDamaged }
}
