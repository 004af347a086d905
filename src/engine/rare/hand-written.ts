import type { PromptSummary, WrittenExchange } from '../../cassette/format/cassette.ts'
import { OLDER } from '../../cassette/format/patterns.ts'
import { readHash } from '../../cassette/format/written-hash.ts'
import { contextOf, isContext } from '../../conversation/context/context-content.ts'
import {
  completionOf,
  hashOfQuestion,
  isOtherParams,
  lastQuestion,
  questionOf,
} from '../../conversation/threads/written.ts'
import {
  isParameterName,
  meansSame,
  nameAsked,
  valueAsked,
} from '../../dialects/kit/parameter-names.ts'
import { providerOf } from '../../dialects/kit/providers.ts'
import { withStatus } from '../../dialects/kit/with-status.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { isWordless, type Message, type Part, type Prompt } from '../../prompt/prompt.ts'
import type { WireResponse } from '../../wire/message.ts'
import type { Incoming } from '../incoming.ts'
import { dialectFor, promptFor } from '../reading/read-prompt.ts'
import type { Recorded } from '../recorded.ts'
import { contextForDiff } from './context-for-diff.ts'
import { sameText, saysContext } from './written-context.ts'

/** Clients that add up tokens, or validate an answer, need token counts. */
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 }

/**
 * Whether a hand-written exchange is meant for a request. Its hash is that of the whole request, or the request has
 * the parameters of its metadata, by their meaning in the format, and its text is the last message of the user. If the
 * exchange has a hash of the text, the hash is compared and not the text. A request that is answered with numbers
 * needs an exchange that names its operation.
 */
export function isMeantFor({ exchange, earlier }: Recorded, incoming: Incoming): boolean {
  const { prompt } = exchange
  const hash = prompt.hash === undefined ? undefined : readHash(prompt.hash)
  // Older releases hashed fewer parts of a request.
  const isHash = (form: Incoming): boolean => hash === form.hash
  if (hash && (isHash(incoming) || OLDER.some((older) => isHash(incoming.asOlder(older)))))
    return true
  const { operation, ...named } = prompt.metadata
  const asked = promptFor(incoming)
  // A person names the provider, also where its host counts.
  const providers = [asked.provider, providerOf(new URL(incoming.wire.url))]
  const isNamed =
    (named.provider === undefined || providers.includes(named.provider as string)) &&
    (named.model === undefined || named.model === asked.model)
  const isOperation =
    operation === undefined ? !isWordless(asked.operation) : operation === asked.operation
  if (!isNamed || !isOperation || !hasParameters(prompt, asked)) return false
  if (earlier && contextOf(exchange)) return saysContext(exchange, earlier, asked)
  return hash ? hash === hashOfQuestion(asked) : isTextOf(prompt, asked)
}

/** Whether a request has every parameter that a person wrote. */
function hasParameters({ metadata }: PromptSummary, { parameters }: Prompt): boolean {
  return Object.entries(parametersOf(metadata, parameters)).every(([written, value]) => {
    const name = nameAsked(written, parameters)
    return name !== undefined && meansSame(value, valueAsked(name, parameters))
  })
}

/** The parameters that a person wrote. A field that no format has, and that is not asked either, is a note. */
function parametersOf(metadata: JsonObject, asked: JsonObject): JsonObject {
  const named = new Set(['provider', 'operation', 'model'])
  const isParameter = ([name, value]: [string, JsonValue]): boolean =>
    (isParameterName(name) || nameAsked(name, asked) !== undefined) &&
    !named.has(name) &&
    !isOtherParams(name, value) &&
    !(name === 'context' && isContext(value))
  return Object.fromEntries(Object.entries(metadata).filter(isParameter))
}

/** Whether the text of a hand-written exchange is the last message of the user. */
export function isTextOf({ text }: PromptSummary, asked: Prompt): boolean {
  const said = questionOf(asked)
  return said !== undefined && sameText(text, said)
}

/** Whether an answer to a request can be written: its dialect writes answers, and it is no frame of a socket. */
export function canBeWritten(incoming: Incoming): boolean {
  return dialectFor(incoming).writeCompletion !== undefined && incoming.wire.method !== 'SEND'
}

/** The answer that a person wrote, in the format of the request, streamed where it asks for a stream. */
export function writtenAnswer({ response }: WrittenExchange, incoming: Incoming): WireResponse {
  const usage = isWordless(promptFor(incoming).operation) ? {} : { usage: NO_TOKENS }
  const answer = dialectFor(incoming).writeCompletion!(
    { ...usage, ...completionOf(response) },
    incoming.wire,
  )
  return response.status === undefined ? answer : withStatus(answer, response.status)
}

/**
 * The prompt for which an exchange was written, for a comparison with the prompt of a request: that prompt with the
 * text and the metadata of the exchange.
 */
export function promptWritten({ exchange, earlier }: Recorded, asked: Prompt): Prompt {
  const { prompt } = exchange
  const { provider, operation, model } = prompt.metadata
  const usual = isWordless(asked.operation) ? 'chat' : asked.operation
  const meant = earlier && contextOf(exchange) && contextForDiff(exchange, earlier, asked)
  return {
    ...asked,
    parameters: parametersMeant(prompt, asked),
    ...(typeof provider === 'string' ? { provider } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    operation: typeof operation === 'string' ? operation : usual,
    messages: meant || messagesWithText(prompt, asked),
  }
}

/** The messages of a request with the text of an exchange as the last question. */
function messagesWithText(prompt: PromptSummary, asked: Prompt): Message[] {
  const part: Part = { type: 'text', text: prompt.text }
  const last = lastQuestion(asked)
  if (!last) return [...asked.messages, { role: 'user', parts: [part] }]
  if (isTextOf(prompt, asked)) return asked.messages
  const parts = [part, ...last.parts.filter(({ type }) => type !== 'text')]
  return asked.messages.map((message) => (message === last ? { ...last, parts } : message))
}

/** The parameters of a request with those that a person wrote, under the names of the request. */
function parametersMeant({ metadata }: PromptSummary, { parameters }: Prompt): JsonObject {
  const meant = { ...parameters }
  for (const [written, value] of Object.entries(parametersOf(metadata, parameters))) {
    const name = nameAsked(written, parameters) ?? written
    if (meansSame(value, valueAsked(name, parameters))) continue
    const [outer = '', inner] = name.split('.')
    const object = meant[outer]
    meant[outer] = inner && isJsonObject(object) ? { ...object, [inner]: value } : value
  }
  return meant
}
