import { join } from '../real/path.ts'
import { sweepLeftovers } from '../cassette/write-file.ts'
import { addLines, type ConversationMetadata } from './conversation-metadata.ts'
import type { StoredMessage, StoredTokens } from './stored-message.ts'
import { CassetteError } from '../errors.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { WorkspaceFolder } from './workspace-folder.ts'
import { writeIndex } from './workspace-index.ts'

/** The token usage of an answer. The field names of the stored files are accepted too. */
export type TokenUsage =
  | {
      inputTokens: number
      outputTokens: number
      /** @default the sum of both */
      totalTokens?: number
      /** US dollars. */
      totalCost?: number | null
    }
  | (Omit<StoredTokens, 'total_tokens'> & Partial<StoredTokens>)

/** A tool call of an answer, with the id by which its result names it. */
export interface NewCall {
  id?: string
  name: string
  parameters: JsonValue
}

/** A message to add to a conversation. The field names of the stored files are accepted too. */
export type NewMessage =
  | { role: 'user'; content: JsonValue }
  | {
      role: 'assistant'
      content: JsonValue
      tokens?: TokenUsage
      toolCalls?: NewCall[]
      tool_calls?: NewCall[]
    }
  | { role: 'tool'; content: JsonValue; name: string; toolUseId: string }
  | { role: 'tool'; content: JsonValue; tool_name: string; tool_use_id: string }

/** The fields of each role. The time of a message is that of its writing. */
const FIELDS: Readonly<Record<NewMessage['role'], readonly string[]>> = {
  user: ['content'],
  assistant: ['content', 'tokens', 'toolCalls', 'tool_calls'],
  tool: ['content', 'name', 'toolUseId', 'tool_name', 'tool_use_id'],
}

/** A stored conversation to continue. Each new message is appended after all others, those of other writers too. */
export class WorkspaceConversation {
  readonly id: string
  readonly #folder: WorkspaceFolder
  readonly #base: ConversationMetadata
  /** The number of lines that `#base` covers. */
  readonly #counted: number
  #metadata: ConversationMetadata
  #last: Promise<void> = Promise.resolve()
  #swept?: Promise<void>

  /** Conversations are created by a {@link ConversationStore}. */
  constructor(folder: WorkspaceFolder, id: string) {
    const { metadata, messages } = folder.read(id)
    this.id = id
    this.#folder = folder
    this.#base = metadata
    this.#metadata = metadata
    this.#counted = messages.length
  }

  /** Its metadata, as of the last message that this object added. */
  get metadata(): ConversationMetadata {
    return this.#metadata
  }

  /** All messages, including those of other writers. */
  get messages(): StoredMessage[] {
    return this.#folder.read(this.id).messages
  }

  async addUserMessage(content: JsonValue): Promise<void> {
    await this.addMessages([{ role: 'user', content }])
  }

  async addAssistantMessage(content: JsonValue, tokens?: TokenUsage): Promise<void> {
    await this.addMessages([{ role: 'assistant', content, ...(tokens ? { tokens } : {}) }])
  }

  /** Adds the result of a tool. A result with `is_error: true` is a task that failed. */
  async addToolMessage(name: string, toolUseId: string, content: JsonValue): Promise<void> {
    await this.addMessages([{ role: 'tool', content, name, toolUseId }])
  }

  /**
   * Adds messages in one write: no other writer's message comes between them, and a kill leaves all or none.
   *
   * @throws CassetteError `invalid-conversation` for a deleted conversation, a value that JSON cannot hold, and a field
   * that no message of its role has.
   */
  async addMessages(messages: readonly NewMessage[]): Promise<void> {
    const timestamp = new Date().toISOString()
    // Synchronous: messages are on disk, in the order of the calls, before the first await.
    this.#folder.append(
      this.id,
      messages.map((message) => lineOf(message, timestamp)),
    )
    const described = this.#last.then(() => this.#describe())
    this.#last = described.catch(() => {})
    await described
  }

  async #describe(): Promise<void> {
    this.#metadata = await this.#folder.describe(this.id, (messages) =>
      addLines(this.#base, messages.slice(this.#counted)),
    )
    await writeIndex(this.#folder)
    // Once is enough: files that this process writes from here on are no leftovers.
    this.#swept ??= sweepLeftovers(join(this.#folder.folder, this.id))
    await this.#swept
  }
}

function lineOf(message: NewMessage, timestamp: string): StoredMessage {
  const { role, content } = message
  refuseUnknown(message)
  if (JSON.stringify(content) === undefined)
    throw invalid(
      `A message of role ${role} has to be a text or a value of JSON; this one is ${typeof content}.`,
    )
  const line = { timestamp, role, content }
  if (message.role === 'user') return line
  if (message.role === 'tool') {
    const [name, id] =
      'name' in message
        ? [message.name, message.toolUseId]
        : [message.tool_name, message.tool_use_id]
    if (!name || !id)
      throw invalid('A message of role tool needs the name of its tool, and the id of its call.')
    return { ...line, tool_name: name, tool_use_id: id }
  }
  const calls = message.toolCalls ?? message.tool_calls
  return {
    ...line,
    ...(message.tokens ? { tokens: storedTokens(message.tokens) } : {}),
    ...(calls ? { tool_calls: calls } : {}),
  }
}

/** A field that is not stored would be lost without a word. */
function refuseUnknown(message: NewMessage): void {
  const fields = FIELDS[message.role] ?? []
  const unknown = Object.keys(message).filter(
    (name) => !['role', 'timestamp', ...fields].includes(name),
  )
  if (fields.length === 0)
    throw invalid(`The role of a message is user, assistant or tool; this one is ${message.role}.`)
  if (unknown.length > 0)
    throw invalid(
      `A message of role ${message.role} has no field ${unknown.join(', ')}. It can have: ${fields.join(', ')}.`,
    )
}

function invalid(problem: string): CassetteError {
  return new CassetteError('invalid-conversation', problem)
}

function storedTokens(usage: TokenUsage): StoredTokens {
  const given = 'inputTokens' in usage ? usage : undefined
  const stored = 'input_tokens' in usage ? usage : undefined
  const input = given?.inputTokens ?? stored?.input_tokens
  const output = given?.outputTokens ?? stored?.output_tokens
  if (typeof input !== 'number' || typeof output !== 'number')
    throw invalid(
      `The tokens of an answer are { inputTokens, outputTokens }, both numbers; these are ${JSON.stringify(usage)}.`,
    )
  const cost = given?.totalCost ?? stored?.total_cost
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: given?.totalTokens ?? stored?.total_tokens ?? input + output,
    ...(typeof cost === 'number' ? { total_cost: cost } : {}),
  }
}
