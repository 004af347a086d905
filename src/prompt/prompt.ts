import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'

/**
 * The whole request to a model, whatever the wire format: more than a list of messages. A dialect reads it for
 * people, diffs and statistics; matching uses only the canonical form.
 */
export interface Prompt {
  /** The provider, in OpenTelemetry's words: `openai`, `anthropic`, `azure.ai.openai`, … */
  provider: string
  /** The operation: `chat`, `embeddings`, `generate_content`, or the last word of the path. */
  operation: string
  model?: string
  /** Everything else in the body by its own name: `temperature`, `max_tokens`, `stream`, … */
  parameters: JsonObject
  /** The headers that change what the model does, in lower case; absent where there are none. */
  headers?: Record<string, string>
  /** In the order sent; system instructions come first, with the role `system`. */
  messages: Message[]
  tools: Tool[]
}

export interface Message {
  /** `system`, `developer`, `user`, `assistant`, `tool`, or the provider's own word. */
  role: string
  parts: Part[]
  /** Fields of the message that no part carries, such as `name` or `cache_control`. */
  extra?: JsonObject
}

/** A piece of a message, named after the parts of OpenTelemetry's message schema. */
export type Part =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool_call'; id?: string; name: string; arguments: JsonValue }
  | { type: 'tool_call_response'; id?: string; result: JsonValue }
  | FilePart
  | { type: 'uri'; uri: string }
  /** A piece that this dialect does not know, as it was sent. */
  | { type: 'other'; value: JsonValue }

/** Inline binary content; `hash` is the sha256 of its base64 text, `size` its bytes. */
export type FilePart = { type: 'blob'; mimeType?: string; hash: string; size: number }

/** Whether a value is a file that a dialect read. Its size and hash tell it from the data of a tool. */
export function isFilePart(value: JsonValue): value is JsonObject & FilePart {
  return (
    isJsonObject(value) &&
    value.type === 'blob' &&
    typeof value.size === 'number' &&
    /^[0-9a-f]{64}$/.test(String(value.hash))
  )
}

export interface Tool {
  name: string
  description?: string
  /** The JSON schema of its arguments. */
  parameters?: JsonValue
  /** Fields beside these, such as `strict`. */
  extra?: JsonObject
}

export function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer'
}

export function isAssistant({ role }: Message): boolean {
  return role === 'assistant' || role === 'model'
}

const WORDLESS = new Set(['embeddings', 'rerank', 'count_tokens'])

/** Whether an operation is answered with numbers: its texts are data, which no user says. */
export function isWordless(operation: string): boolean {
  return WORDLESS.has(operation)
}

/** What is done with a part of each type. */
export type PartVisitor<Result> = {
  [Type in Part['type']]: (part: Extract<Part, { type: Type }>) => Result
}

/** Visits a part: whatever writes parts does it by this. */
export function visitPart<Result>(part: Part, visitor: PartVisitor<Result>): Result {
  const visit = visitor[part.type] as (part: Part) => Result
  return visit(part)
}
