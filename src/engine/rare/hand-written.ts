import type { Exchange, PromptSummary, WrittenExchange } from '../../cassette/format/cassette.ts'
import { completionOf } from '../../conversation/threads/written.ts'
import { meansSame, nameAsked, valueAsked } from '../../dialects/kit/parameter-names.ts'
import { withStatus } from '../../dialects/kit/with-status.ts'
import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Message, Part, Prompt } from '../../prompt/prompt.ts'
import type { WireResponse } from '../../wire/message.ts'
import type { Incoming } from '../incoming.ts'
import { dialectFor, promptFor } from '../reading/read-prompt.ts'

/** What is answered with figures; only an exchange that names such an operation is meant for it. */
const WORDLESS = new Set(['embeddings', 'rerank', 'count_tokens'])

/** Clients that add tokens up, or check an answer, need some. */
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 }

/**
 * Whether an exchange that a person wrote is meant for a request. Its hash decides where it has one;
 * otherwise the text of the last user message, and what its metadata names, by its meaning in the format asked.
 */
export function isMeantFor({ prompt }: Exchange, incoming: Incoming): boolean {
  // A hash that was taken when less of a request was kept says nothing of the rest.
  if (prompt.hash !== undefined)
    return prompt.hash === incoming.hash || prompt.hash === incoming.asOlder.hash
  const { operation, ...named } = prompt.metadata
  const asked = promptFor(incoming)
  const isNamed = (['provider', 'model'] as const).every(
    (name) => named[name] === undefined || named[name] === asked[name],
  )
  const isOperation =
    operation === undefined ? !WORDLESS.has(asked.operation) : operation === asked.operation
  return isNamed && isOperation && hasParameters(prompt, asked) && isTextOf(prompt, asked)
}

/** Whether a request has every parameter that a person wrote. */
function hasParameters({ metadata }: PromptSummary, { parameters }: Prompt): boolean {
  return Object.entries(parametersOf(metadata)).every(([written, value]) => {
    const name = nameAsked(written, parameters)
    return name !== undefined && meansSame(value, valueAsked(name, parameters))
  })
}

function parametersOf(metadata: JsonObject): JsonObject {
  const named = new Set(['provider', 'operation', 'model'])
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !named.has(name)))
}

/** Whether the user said last what a person wrote. */
export function isTextOf({ text }: PromptSummary, asked: Prompt): boolean {
  return sameText(text, textAsked(asked))
}

/** Whether an answer to a request can be written: its format is known, and it is no frame of a socket. */
export function canBeWritten(incoming: Incoming): boolean {
  return dialectFor(incoming).writeCompletion !== undefined && incoming.wire.method !== 'SEND'
}

/** The answer that a person wrote, in the format of the request, streamed where it asks for a stream. */
export function writtenAnswer({ response }: WrittenExchange, incoming: Incoming): WireResponse {
  const usage = WORDLESS.has(promptFor(incoming).operation) ? {} : { usage: NO_TOKENS }
  const answer = dialectFor(incoming).writeCompletion!(
    { ...usage, ...completionOf(response) },
    incoming.wire,
  )
  return response.status === undefined ? answer : withStatus(answer, response.status)
}

/**
 * The prompt for which an exchange was written, so that it can be compared with one that came in: the
 * same, but for the text and for what the metadata names.
 */
export function promptMeant({ prompt }: Exchange, asked: Prompt): Prompt {
  const { provider, operation, model } = prompt.metadata
  const part: Part = { type: 'text', text: prompt.text }
  const last = lastQuestion(asked)
  const said = (message: Message): Message => ({
    ...message,
    parts: [part, ...message.parts.filter(({ type }) => type !== 'text')],
  })
  const isSame = isTextOf(prompt, asked)
  return {
    ...asked,
    parameters: parametersMeant(prompt, asked),
    ...(typeof provider === 'string' ? { provider } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    operation:
      typeof operation === 'string'
        ? operation
        : WORDLESS.has(asked.operation)
          ? 'chat'
          : asked.operation,
    messages: last
      ? asked.messages.map((message) => (message === last && !isSame ? said(message) : message))
      : [...asked.messages, { role: 'user', parts: [part] }],
  }
}

/** The parameters of a request with those that a person wrote, under the names of the request. */
function parametersMeant({ metadata }: PromptSummary, { parameters }: Prompt): JsonObject {
  const meant = { ...parameters }
  for (const [written, value] of Object.entries(parametersOf(metadata))) {
    const name = nameAsked(written, parameters) ?? written
    if (meansSame(value, valueAsked(name, parameters))) continue
    const [outer = '', inner] = name.split('.')
    const object = meant[outer]
    meant[outer] = inner && isJsonObject(object) ? { ...object, [inner]: value } : value
  }
  return meant
}

/** What the user said last; `undefined` where the user said nothing. */
export function textAsked(prompt: Prompt): string | undefined {
  return lastQuestion(prompt)
    ?.parts.flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('\n')
}

/** Some providers take the results of calls as a message of the user. */
function lastQuestion({ messages }: Prompt): Message | undefined {
  return messages.findLast(
    ({ role, parts }) => role === 'user' && parts.some(({ type }) => type !== 'tool_call_response'),
  )
}

/** Editors add and remove white space at the ends of lines. */
function sameText(written: string, asked: string | undefined): boolean {
  return asked !== undefined && withoutLineEnds(written) === withoutLineEnds(asked)
}

function withoutLineEnds(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines.join('\n').trimEnd()
}
