import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { sweepLeftovers, writeAtomically } from '../cassette/disk/write-atomically.ts'
import {
  countAnew,
  type ConversationMetadata,
} from '../conversation/store/conversation-metadata.ts'
import { statisticsOf, type ConversationStatistics } from '../conversation/store/statistics.ts'
import {
  conversationsOf,
  type StoredConversation,
} from '../conversation/store/stored-conversation.ts'
import type { ConversationProblem, StoredMessage } from '../conversation/store/stored-message.ts'
import { readBackup, writeBackup } from './backup.ts'
import { Conversation } from './conversation.ts'
import { WorkspaceFolder } from './workspace-folder.ts'
import { directoryOf, writeIndex } from './workspace-index.ts'
import { workspaceFolders } from './workspace.ts'

export { CassetteError, type ErrorCode } from '../errors.ts'
export type { JsonObject, JsonValue } from '../json/json-value.ts'
export type { Conversation, NewMessage, TokenUsage } from './conversation.ts'
export type { ConversationMetadata, ConversationProblem, ConversationStatistics, StoredMessage }
export type { StoredTokens } from '../conversation/store/stored-message.ts'

/** Where conversations are. */
export interface ConversationStoreOptions {
  /** The folder that holds the workspaces. @default '~/.bedrock-agent/conversations' */
  store?: string
  /** The working directory whose conversations are meant, or the name of its folder in the store. @default process.cwd() */
  workspace?: string
  /** Is told what cannot be read of a conversation; the rest is served. @default a warning of the process */
  onProblem?: (problem: ConversationProblem & { id: string }) => void
}

/** How a conversation begins. */
export interface StartOptions {
  /** The model that is asked. */
  model?: string
  systemPrompt?: string
  /** Letters, digits, `_`, `-` and `.`. @default a random UUID */
  id?: string
  /** What people call it. @default the id */
  title?: string
}

/** The conversations of a working directory that are kept in it. */
export interface StoredWorkspace {
  /** The name of its folder in the store, which `workspace` takes too. */
  folder: string
  directory: string
  /** False where the directory is gone; its conversations are not. */
  exists: boolean
  conversations: number
}

/**
 * Conversations in files: a folder each, one line a message. Lines are only ever added; several processes
 * may write to one store, and to one conversation.
 */
export class ConversationStore {
  readonly #folder: WorkspaceFolder
  readonly #store: string
  readonly #onProblem: (problem: ConversationProblem & { id: string }) => void

  constructor({
    store,
    workspace = process.cwd(),
    onProblem = warn,
  }: ConversationStoreOptions = {}) {
    this.#store = resolve(store ?? join(homedir(), '.bedrock-agent', 'conversations'))
    this.#folder = new WorkspaceFolder(this.#store, workspace)
    this.#onProblem = onProblem
  }

  /** @throws CassetteError `invalid-conversation` where the id is taken, or cannot be one. */
  async startConversation(options: StartOptions = {}): Promise<Conversation> {
    const { id = randomUUID(), model = null, systemPrompt = null, title = id } = options
    const metadata = {
      ...countAnew(id, [], directoryOf(this.#folder)),
      title,
      model_id: model,
      system_prompt: systemPrompt,
    }
    this.#folder.begin({ metadata, messages: [] }, new Map())
    await writeIndex(this.#folder)
    await sweepLeftovers(this.#folder.folder)
    return new Conversation(this.#folder, id)
  }

  /**
   * Goes on with a conversation: its `messages` are what was said.
   *
   * @throws CassetteError `invalid-conversation` for an id that is none of the store's.
   */
  resumeConversation(id: string): Conversation {
    this.#read(id)
    return new Conversation(this.#folder, id)
  }

  /** The metadata of all conversations, from the one in which something was said last. */
  listConversations(): ConversationMetadata[] {
    return this.#folder
      .list()
      .map((id) => this.#read(id).metadata)
      .sort((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at))
  }

  /** @throws CassetteError `invalid-conversation` for an id that is none of the store's. */
  readMessages(id: string): StoredMessage[] {
    return this.#read(id).messages
  }

  /** @throws CassetteError `invalid-conversation` for an id that is none of the store's. */
  loadMetadata(id: string): ConversationMetadata {
    return this.#read(id).metadata
  }

  /** @throws CassetteError `invalid-conversation` for an id that is none of the store's. */
  statistics(id: string): ConversationStatistics {
    const stored = this.#read(id)
    return statisticsOf(stored.metadata, conversationsOf(stored))
  }

  /** @throws CassetteError `invalid-conversation` for an id that is none of the store's. */
  async deleteConversation(id: string): Promise<void> {
    this.#folder.delete(id)
    await writeIndex(this.#folder)
  }

  /** Writes a conversation whole into one file, which {@link importConversation} reads. */
  async exportConversation(id: string, file: string): Promise<void> {
    await writeAtomically(resolve(file), writeBackup(this.#read(id), this.#folder))
  }

  /**
   * Brings a conversation back from one file, under its id.
   *
   * @throws CassetteError `invalid-conversation` where the id is taken, or the file holds no conversation.
   */
  async importConversation(file: string): Promise<Conversation> {
    const { blobs, problems, metadata, messages } = readBackup(resolve(file))
    this.#report(metadata.id, problems)
    this.#folder.begin({ metadata, messages }, blobs)
    await writeIndex(this.#folder)
    return new Conversation(this.#folder, metadata.id)
  }

  /** The workspaces of the store, also of directories that are gone. */
  workspaces(): StoredWorkspace[] {
    return workspaceFolders(this.#store).map((name) => {
      const folder = new WorkspaceFolder(this.#store, name)
      const directory = directoryOf(folder)
      const conversations = folder.list().length
      return { folder: name, directory, exists: existsSync(directory), conversations }
    })
  }

  #read(id: string): StoredConversation {
    const stored = this.#folder.read(id)
    this.#report(id, stored.problems)
    return stored
  }

  #report(id: string, problems: readonly ConversationProblem[]): void {
    for (const problem of problems) this.#onProblem({ ...problem, id })
  }
}

function warn({ kind, id, file, line, problem }: ConversationProblem & { id: string }): void {
  const place = `${id}/${file}${line === undefined ? '' : `, line ${line}`}`
  process.emitWarning(`${place}: ${problem}`, { type: 'ConversationWarning', code: kind })
}
