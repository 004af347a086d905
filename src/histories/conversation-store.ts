import { randomUUID } from 'node:crypto'
import { homedir } from '../real/os.ts'
import { join, resolve } from '../real/path.ts'
import { sweepLeftovers, writeAtomically } from '../cassette/write-file.ts'
import { countTurns, type Conversation } from '../conversation/conversation.ts'
import { existsSync } from '../real/files.ts'
import { readBackup, writeBackup } from './backup.ts'
import { countAnew, type ConversationMetadata } from './conversation-metadata.ts'
import { type StoredConversation, storedThreads } from './stored-conversation.ts'
import type { ConversationProblem, StoredMessage } from './stored-message.ts'
import { WorkspaceConversation } from './workspace-conversation.ts'
import { WorkspaceFolder } from './workspace-folder.ts'
import { directoryOf, workspaceFolders, writeIndex } from './workspace-index.ts'
export { CassetteError, type ErrorCode } from '../errors.ts'
export type { JsonObject, JsonValue } from '../json/json-value.ts'
export type {
  WorkspaceConversation as Conversation,
  NewCall,
  NewMessage,
  TokenUsage,
} from './workspace-conversation.ts'
export type { ConversationMetadata, ConversationProblem, StoredMessage }
export type { StoredTokens } from './stored-message.ts'

/** Options of a {@link ConversationStore}. */
export interface ConversationStoreOptions {
  /** The folder that holds the workspaces. @default '~/.bedrock-agent/conversations' */
  store?: string
  /** The working directory, or the name of its folder in the store. @default process.cwd() */
  workspace?: string
  /** Called for each unreadable part of a conversation; the rest is returned. @default a warning of the process */
  onProblem?: (problem: ConversationProblem & { id: string }) => void
}

/** Options of a new conversation. */
export interface StartOptions {
  /** The name of the model. */
  model?: string
  systemPrompt?: string
  /** Letters, digits, `_`, `-` and `.`. @default a random UUID */
  id?: string
  /** The title for people. @default the id */
  title?: string
}

/** A working directory that has a folder in the store. */
export interface StoredWorkspace {
  /** The name of its folder in the store; the option `workspace` accepts it too. */
  folder: string
  directory: string
  /** False if the directory no longer exists; its conversations still do. */
  exists: boolean
  conversations: number
}

/**
 * Conversations in files: one folder per conversation, one line per message. Lines are only appended. Several
 * processes may write to one store, and to one conversation.
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

  /** @throws CassetteError `invalid-conversation` if the id is taken or not valid. */
  async startConversation(options: StartOptions = {}): Promise<WorkspaceConversation> {
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
    return new WorkspaceConversation(this.#folder, id)
  }

  /**
   * Opens a conversation to continue it. Its `messages` are those so far.
   *
   * @throws CassetteError `invalid-conversation` for an id that is not in the store.
   */
  resumeConversation(id: string): WorkspaceConversation {
    this.#read(id)
    return new WorkspaceConversation(this.#folder, id)
  }

  /** The metadata of all conversations, the most recently updated first. */
  listConversations(): ConversationMetadata[] {
    return this.#folder
      .list()
      .map((id) => this.#read(id).metadata)
      .sort((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at))
  }

  /** @throws CassetteError `invalid-conversation` for an id that is not in the store. */
  readMessages(id: string): StoredMessage[] {
    return this.#read(id).messages
  }

  /** @throws CassetteError `invalid-conversation` for an id that is not in the store. */
  loadMetadata(id: string): ConversationMetadata {
    return this.#read(id).metadata
  }

  /** @throws CassetteError `invalid-conversation` for an id that is not in the store. */
  statistics(id: string): ConversationStatistics {
    const stored = this.#read(id)
    return statisticsOf(stored, storedThreads(stored))
  }

  /** @throws CassetteError `invalid-conversation` for an id that is not in the store. */
  async deleteConversation(id: string): Promise<void> {
    this.#folder.delete(id)
    await writeIndex(this.#folder)
  }

  /** Writes a whole conversation into one file, which {@link importConversation} reads. */
  async exportConversation(id: string, file: string): Promise<void> {
    await writeAtomically(resolve(file), writeBackup(this.#read(id), this.#folder))
  }

  /**
   * Imports a conversation from one file, under its own id.
   *
   * @throws CassetteError `invalid-conversation` where the id is taken, or the file holds no conversation.
   */
  async importConversation(file: string): Promise<WorkspaceConversation> {
    const { blobs, problems, metadata, messages } = readBackup(resolve(file))
    this.#report(metadata.id, problems)
    this.#folder.begin({ metadata, messages }, blobs)
    await writeIndex(this.#folder)
    return new WorkspaceConversation(this.#folder, metadata.id)
  }

  /** The workspaces of the store, including those of directories that no longer exist. */
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

/** The figures of a stored conversation. */
export interface ConversationStatistics {
  messageCount: number
  /** The messages of each role. */
  userMessages: number
  assistantMessages: number
  toolMessages: number
  /** A turn begins when a user speaks. */
  turns: number
  threads: number
  /** A task is a tool call: completed when it was answered, failed when the answer says so. */
  taskCount: number
  completedTasks: number
  failedTasks: number
  inputTokens: number
  outputTokens: number
  totalTokens: number
  /** US dollars; `undefined` where the cost of an answer is unknown. */
  totalCost: number | undefined
  /** ISO 8601. */
  createdAt: string
  updatedAt: string
  durationMs: number
}

/** Counts a stored conversation: its lines, and the figures that its metadata states. */
export function statisticsOf(
  { metadata, messages }: StoredConversation,
  conversations: readonly Conversation[],
): ConversationStatistics {
  const { created_at: createdAt, updated_at: updatedAt, token_usage: usage } = metadata
  const spoke = (who: string): number =>
    messages.filter(({ role, said_by: speaker }) => (speaker ?? role) === who).length
  return {
    messageCount: metadata.message_count,
    userMessages: spoke('user'),
    assistantMessages: spoke('assistant'),
    toolMessages: spoke('tool'),
    turns: countTurns(conversations),
    threads: conversations.length,
    taskCount: metadata.task_count,
    completedTasks: metadata.completed_tasks,
    failedTasks: metadata.failed_tasks,
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    totalTokens: usage.total_tokens,
    totalCost: usage.total_cost ?? undefined,
    createdAt,
    updatedAt,
    durationMs: Math.max(0, Date.parse(updatedAt) - Date.parse(createdAt)),
  }
}
