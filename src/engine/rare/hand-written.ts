import type { PromptSummary, WrittenExchange } from '../../cassette/format/cassette.ts'
import { hashOfText, readHash } from '../../cassette/format/written-hash.ts'
import { contextOf } from '../../conversation/context/context-content.ts'
import { completionOf } from '../../conversation/threads/written.ts'
import { meansSame, nameAsked, valueAsked } from '../../dialects/kit/parameter-names.ts'
import { withStatus } from '../../dialects/kit/with-status.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Part, Prompt } from '../../prompt/prompt.ts'
import type { WireResponse } from '../../wire/message.ts'
import type { Incoming } from '../incoming.ts'
import { dialectFor, promptFor } from '../reading/read-prompt.ts'
import type { Recorded } from '../recorded.ts'
import { sameText } from './same-text.ts'
import { messagesMeant, saysContext } from './written-context.ts'

/** What is answered with figures; only an exchange that names such an operation is meant for it. */
const WORDLESS = new Set(['embeddings', 'rerank', 'count_tokens'])

/** Whether an operation is answered with figures. */
export function isWordless(operation: string): boolean {
  return WORDLESS.has(operation)
}

/** Clients that add tokens up, or check an answer, need some. */
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 }

/**
 * Whether an exchange that a person wrote is meant for a request: its hash is that of the whole request, or else the
 * user said last what it says, and what its metadata names is asked, by its meaning in the format. A hash of the
 * text, where there is one, tells the text to the letter.
 */
export function isMeantFor({ exchange, earlier }: Recorded, incoming: Incoming): boolean {
  const { prompt } = exchange
  const hash = prompt.hash === undefined ? undefined : readHash(prompt.hash)
  // A hash that was taken when less of a request was kept says nothing of the rest.
  if (hash && (hash === incoming.hash || hash === incoming.asOlder.hash)) return true
  const { operation, ...named } = prompt.metadata
  const asked = promptFor(incoming)
  const isNamed = (['provider', 'model'] as const).every(
    (name) => named[name] === undefined || named[name] === asked[name],
  )
  const isOperation =
    operation === undefined ? !WORDLESS.has(asked.operation) : operation === asked.operation
  if (!isNamed || !isOperation || !hasParameters(prompt, asked)) return false
  if (earlier && contextOf(exchange)) return saysContext(exchange, earlier, asked)
  return hash ? hash === hashAsked(asked) : isTextOf(prompt, asked)
}

/** Whether a request has every parameter that a person wrote. */
function hasParameters({ metadata }: PromptSummary, { parameters }: Prompt): boolean {
  return Object.entries(parametersOf(metadata)).every(([written, value]) => {
    const name = nameAsked(written, parameters)
    return name !== undefined && meansSame(value, valueAsked(name, parameters))
  })
}

function parametersOf(metadata: JsonObject): JsonObject {
  const named = new Set(['provider', 'operation', 'model', 'context'])
  const isParameter = ([name, value]: [string, JsonValue]): boolean =>
    !named.has(name) && !standsForMore(name, value)
  return Object.fromEntries(Object.entries(metadata).filter(isParameter))
}

/** How the description of the history format writes that there may be further parameters. */
export function standsForMore(name: string, value: JsonValue): boolean {
  return name === 'other_params' && value === 'as_needed'
}

/** Whether the user said last what a person wrote. */
export function isTextOf({ text }: PromptSummary, asked: Prompt): boolean {
  const said = textAsked(asked)
  return said !== undefined && sameText(text, said)
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
export function promptMeant({ exchange, earlier }: Recorded, asked: Prompt): Prompt {
  const { prompt } = exchange
  const { provider, operation, model } = prompt.metadata
  const part: Part = { type: 'text', text: prompt.text }
  const last = lastQuestion(asked)
  const said = (message: Message): Message => ({
    ...message,
    parts: [part, ...message.parts.filter(({ type }) => type !== 'text')],
  })
  const isSame = isTextOf(prompt, asked)
  const meant = earlier && contextOf(exchange) && messagesMeant(exchange, earlier, asked)
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
    messages: meant
      ? meant
      : last
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

/** The hash of what the user said last. */
export function hashAsked(prompt: Prompt): string {
  return hashOfText(textAsked(prompt) ?? '')
}

/** What the user said last, or else the instructions; `undefined` where there are none either. */
export function textAsked(prompt: Prompt): string | undefined {
  return lastQuestion(prompt)
    ?.parts.flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('\n')
}

/** Some providers take the results of calls as a message of the user; where no user says anything, instructions ask. */
function lastQuestion({ messages }: Prompt): Message | undefined {
  const asks = (by: string[]): Message | undefined =>
    messages.findLast(
      ({ role, parts }) =>
        by.includes(role) && parts.some(({ type }) => type !== 'tool_call_response'),
    )
  return asks(['user']) ?? asks(['system', 'developer'])
}
