import type { Exchange, PromptSummary, WrittenExchange } from '../cassette/cassette.ts'
import { readHash } from '../cassette/written.ts'
import { entryContent, contextOf, isContext } from '../conversation/context.ts'
import { type PairedCall, pairResults } from '../conversation/entries.ts'
import type { ContextEntry } from '../conversation/context-file.ts'
import {
  writtenCompletion,
  hashOfQuestion,
  isOtherParams,
  lastQuestion,
  questionOf,
  toldTools,
} from '../conversation/step.ts'
import type { Incoming } from '../engine/incoming.ts'
import { dialectFor, promptFor } from '../engine/read-prompt.ts'
import type { Recorded } from '../engine/recorded.ts'
import { isJsonObject, type JsonObject, type JsonValue, tryParseJson } from '../json/json-value.ts'
import { equal } from '../json/walk.ts'
import {
  isAssistant,
  isSystem,
  isWordless,
  type Message,
  type Part,
  type Prompt,
} from '../prompt/prompt.ts'
import { isRequestHash } from '../prompt/request-hash.ts'
import type { Dialect } from '../providers/dialect.ts'
import { isParameterName, meansSame, nameAsked, valueAsked } from '../providers/parameter-names.ts'
import { providerOf } from '../providers/providers.ts'
import { withStatus } from '../providers/with-status.ts'
import { rememberFor } from '../remember.ts'
import { contentSent } from './written/entry-sent.ts'
import { idOf, isOneUser, textAfterName } from './written/users.ts'
import type { WireResponse } from '../wire/message.ts'
import type { KnownPiece } from './written/cut-texts.ts'
import { loadTold } from './written/load-told.ts'

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
  const { hash = '' } = prompt
  if (hash !== '' && hash === incoming.hash) return true
  const { operation, ...named } = prompt.metadata
  const asked = promptFor(incoming)
  // A person names the provider, also where its host counts.
  const providers = [asked.provider, providerOf(new URL(incoming.wire.url))]
  const isNamed =
    (named.provider === undefined || providers.includes(named.provider as string)) &&
    (named.model === undefined || named.model === asked.model)
  const isOperation =
    operation === undefined ? !isWordless(asked.operation) : operation === asked.operation
  const isAsked = isNamed && isOperation && hasParameters(prompt, asked, dialectFor(incoming))
  if (!isAsked || !hasToldTools(prompt, asked)) return false
  if (earlier && contextOf(exchange)) return saysContext(exchange, earlier, asked)
  const ofText = readHash(hash)
  if (ofText !== undefined) return ofText === hashOfQuestion(asked)
  return !isRequestHash(hash) && isTextOf(prompt, asked)
}

/** Whether a request has the tools that are told, if any are. */
function hasToldTools(prompt: PromptSummary, asked: Prompt): boolean {
  return toldTools(prompt.metadata) === undefined || loadTold().hasTools(prompt, asked)
}

/** Whether a request has every parameter that a person wrote. */
function hasParameters(
  { metadata }: PromptSummary,
  { parameters }: Prompt,
  dialect: Dialect,
): boolean {
  return Object.entries(parametersOf(metadata, parameters, dialect)).every(([written, value]) => {
    const name = nameAsked(written, parameters)
    return name !== undefined && meansSame(value, valueAsked(name, parameters))
  })
}

/** The parameters that a person wrote. A field that no format has, and that is not asked either, is a note. */
function parametersOf(metadata: JsonObject, asked: JsonObject, dialect: Dialect): JsonObject {
  const named = new Set(['provider', 'operation', 'model'])
  const isParameter = ([name, value]: [string, JsonValue]): boolean =>
    (isParameterName(name) || nameAsked(name, asked) !== undefined) &&
    !named.has(name) &&
    !isOtherParams(name, value) &&
    !(name === 'context' && isContext(value)) &&
    (!metadata.traced ||
      nameAsked(name, asked) !== undefined ||
      loadTold().countsUnsent([name, value], metadata.traced, dialect)) &&
    !(name === 'tools' && toldTools({ tools: value }))
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
export function writtenAnswer(
  { prompt, response }: WrittenExchange,
  incoming: Incoming,
): WireResponse {
  const completion = writtenCompletion(response)
  const usage = isWordless(promptFor(incoming).operation) ? {} : { usage: NO_TOKENS }
  const counted = { ...usage, ...completion }
  const answer = prompt.metadata.traced
    ? loadTold().writeTraced(counted, prompt, incoming)
    : dialectFor(incoming).writeCompletion!(counted, incoming.wire)
  return response.status === undefined ? answer : withStatus(answer, response.status)
}

/**
 * The prompt for which an exchange was written, for a comparison with the prompt of a request: that prompt with the
 * text and the metadata of the exchange.
 */
export function promptWritten(
  { exchange, earlier }: Recorded,
  asked: Prompt,
  dialect: Dialect,
): Prompt {
  const { prompt } = exchange
  const { provider, operation, model } = prompt.metadata
  const usual = isWordless(asked.operation) ? 'chat' : asked.operation
  const meant = earlier && contextOf(exchange) && contextForDiff(exchange, earlier, asked)
  return {
    ...asked,
    parameters: parametersMeant(prompt, asked, dialect),
    tools: toldTools(prompt.metadata) ? loadTold().toolsMeant(prompt, asked) : asked.tools,
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
function parametersMeant(
  { metadata }: PromptSummary,
  { parameters }: Prompt,
  dialect: Dialect,
): JsonObject {
  const meant = { ...parameters }
  for (const [written, value] of Object.entries(parametersOf(metadata, parameters, dialect))) {
    const name = nameAsked(written, parameters) ?? written
    if (meansSame(value, valueAsked(name, parameters))) continue
    const [outer = '', inner] = name.split('.')
    const object = meant[outer]
    meant[outer] = inner && isJsonObject(object) ? { ...object, [inner]: value } : value
  }
  return meant
}

/** One text or one call in a context or a prompt. Thoughts and pictures are left out. */
export type Statement = (SaidText | SaidCall) & {
  /** The messages of the prompt that contain it. */
  messages: Message[]
  /** The parts of these messages that contain it. A context has no parts, so they are made for the comparison. */
  parts: Part[]
}

interface SaidText {
  who: 'system' | 'user' | 'assistant'
  text: string
  userId?: string
  /** The texts in it of which only a piece is known. */
  cut?: readonly KnownPiece[]
}

interface SaidCall extends Pick<PairedCall, 'name' | 'parameters' | 'result'> {
  who: 'call'
  cut?: readonly KnownPiece[]
}

/**
 * Whether a prompt is the conversation before the answer of an exchange that was made of a context, and nothing else.
 * Not compared are instructions and results of calls that the context leaves out, names of users that one of the two
 * leaves out, tools, thoughts and pictures.
 */
export function saysContext(
  exchange: Exchange,
  earlier: readonly Exchange[],
  asked: Prompt,
): boolean {
  const [said, heard] = statementsOfBoth(exchange, earlier, asked)
  return said.length === heard.length && said.every((one, index) => isSame(one, heard[index]!))
}

/** The statements of a context before the answer of an exchange, and those of a prompt, in one order. */
function statementsOfBoth(
  exchange: Exchange,
  earlier: readonly Exchange[],
  asked: Prompt,
): [said: Statement[], heard: Statement[]] {
  const said = ordersBefore(exchange)(earlier)
  const isWhole = !asked.messages.some(({ parts }) => parts.some(isReference))
  return inOneOrder(said, isWhole ? ordersOf(asked) : new Orders(statementsOf(asked, said.answers)))
}

/** The statements before the answer of an exchange, with earlier answers as they are replayed. */
function statementsBefore(exchange: Exchange, earlier: readonly Exchange[]): Statement[] {
  const first = [...earlier, exchange].findLastIndex(beginsConversation)
  const before = earlier.slice(Math.max(first, 0)).flatMap((one) => {
    const context = contextOf(one)
    const said = context ? [...context.before.flatMap(statementsIn), ...answersOf(one)] : []
    return withCuts(said, one)
  })
  const fresh = (contextOf(exchange)?.before ?? []).flatMap(statementsIn)
  return [...before, ...withCuts(fresh, exchange)]
}

/** The statements, each with the texts in it that were cut before the exchange was imported. */
function withCuts(statements: Statement[], { prompt }: Exchange): Statement[] {
  const { traced } = prompt.metadata
  if (!isJsonObject(traced) || !Array.isArray(traced.cut)) return statements
  return loadTold().withCutTexts(statements, traced.cut)
}

/** Whether a conversation begins with an exchange: its entries are counted from 0. */
function beginsConversation(exchange: Exchange): boolean {
  const context = contextOf(exchange)
  return (context?.before[0] ?? context?.answer)?.index === 0
}

function statementsIn(entry: ContextEntry): Statement[] {
  const sent = typeof entry.content === 'string' ? contentSent(entry.content) : undefined
  const { text, userId, call, result } = entryContent({ ...entry, ...sent })
  const said = text === '' ? [] : [textSaid(entry.role, text, userId)]
  return call ? [...said, callSaid({ ...call, result })] : said
}

function answersOf({ response: { text, tool_calls: calls = [] } }: Exchange): Statement[] {
  const said = text === '' ? [] : [textSaid('assistant', text)]
  const called = calls.map(({ tool_name: name, parameters, result }) =>
    callSaid({ name, parameters, result }),
  )
  return [...said, ...called]
}

function textSaid(who: SaidText['who'], text: string, userId?: string): Statement {
  return { who, text, userId, messages: [], parts: [{ type: 'text', text }] }
}

function callSaid({ name, parameters, result }: Omit<SaidCall, 'who'>): Statement {
  const call: Part = { type: 'tool_call', name, arguments: parameters }
  const response: Part[] = result === undefined ? [] : [{ type: 'tool_call_response', result }]
  return { who: 'call', name, parameters, result, messages: [], parts: [call, ...response] }
}

/** Whether a part stands for an answer that the provider has kept. The AI SDK sends nothing else of what OpenAI said. */
function isReference(part: Part): boolean {
  const value = part.type === 'other' ? part.value : undefined
  // Those of thoughts are none: a context has no thoughts.
  return (
    isJsonObject(value) && value.type === 'item_reference' && !String(value.id).startsWith('rs_')
  )
}

type CallPart = Extract<Part, { type: 'tool_call' }>

/** @param answers what the assistant has said, in order, for the references to it */
function statementsOf({ messages }: Prompt, answers: readonly Statement[] = []): Statement[] {
  const statements: Statement[] = []
  let answered = 0
  let open: Array<SaidCall & Statement & PairedCall> = []
  for (const message of messages) {
    const given = answers.length > 0 ? loadTold().withoutUnknownIds(message, open) : message
    const parts = pairResults(given, open)
    const results = given.parts.filter((part) => !parts.includes(part))
    for (const call of open) {
      if (call.result === undefined) continue
      call.messages.push(message)
      call.parts.push(...takeResultOf(call, results))
    }
    open = open.filter(({ result }) => result === undefined)
    const texts = parts.filter((part) => part.type === 'text')
    const text = texts.map((part) => part.text).join('\n')
    const who = isSystem(message) ? 'system' : isAssistant(message) ? 'assistant' : 'user'
    const name = message.extra?.name
    const user = typeof name === 'string' ? { userId: name } : {}
    const own = { messages: [message], parts: texts }
    const sent = contentSent(text)
    const entry = sent && statementsIn({ ...sent, role: who } as ContextEntry)
    if (text !== '')
      statements.push(
        ...(entry?.map((one) => ({ ...one, ...own })) ?? [{ who, text, ...user, ...own }]),
      )
    if (text !== '' && who === 'assistant') answered++
    for (const part of parts) {
      const referred = isReference(part) ? answers[answered] : undefined
      if (referred) answered++
      if (referred && referred.who !== 'call')
        statements.push({ ...referred, messages: [message], parts: [part] })
      if (part.type === 'tool_call') answered++
      const said = referred?.who === 'call' ? { ...referred, arguments: referred.parameters } : part
      if (!('name' in said)) continue
      const { id, name: called, arguments: parameters } = said as Omit<CallPart, 'type'>
      const own = { messages: [message], parts: [part] as Part[] }
      const call = { who: 'call' as const, id, name: called, parameters, ...own }
      open.push(call)
      statements.push(call)
    }
  }
  return statements
}

/** Finds the part with the result of a call, and removes it from those that other calls of the message can get. */
function takeResultOf({ id, result }: PairedCall, results: Part[]): Part[] {
  const place = results.findIndex(
    (part) => part.type === 'tool_call_response' && part.id === id && part.result === result,
  )
  return place < 0 ? [] : results.splice(place, 1)
}

/** Where the instructions of a conversation are compared. */
type SystemPlace = 'not' | 'first' | 'in place'

/** The statements of a conversation. Their orders are made once, since each prompt is compared with all exchanges. */
class Orders {
  readonly #statements: readonly Statement[]
  readonly #orders: Map<SystemPlace, Statement[]> = new Map()
  /** What the assistant has said and called. */
  readonly answers: readonly Statement[]
  readonly tellsSystem: boolean
  /** Whether no instructions come later than at the beginning. */
  readonly tellsSystemFirst: boolean

  constructor(statements: readonly Statement[]) {
    this.#statements = statements
    this.answers = statements.filter(({ who }) => who === 'assistant' || who === 'call')
    this.tellsSystem = statements.some(isSaidBySystem)
    this.tellsSystemFirst = statements.findLastIndex(isSaidBySystem) < 1
  }

  in(place: SystemPlace): Statement[] {
    const known = this.#orders.get(place)
    if (known) return known
    const all = this.#statements
    const others = all.filter((one) => !isSaidBySystem(one))
    const first = place === 'first' ? all.filter(isSaidBySystem) : []
    const order = merge(place === 'in place' ? all : [...first, ...others])
    this.#orders.set(place, order)
    return order
  }
}

const ordersOf = rememberFor((prompt: Prompt) => new Orders(statementsOf(prompt)))

const ordersBefore = rememberFor((exchange: Exchange) =>
  rememberFor((earlier: readonly Exchange[]) => new Orders(statementsBefore(exchange, earlier))),
)

/** Many formats have one place for all instructions, and allow no two messages of one role in a row. */
function inOneOrder(said: Orders, heard: Orders): [Statement[], Statement[]] {
  const place = !said.tellsSystem ? 'not' : heard.tellsSystemFirst ? 'first' : 'in place'
  return [said.in(place), heard.in(place)]
}

function isSaidBySystem({ who }: Statement): boolean {
  return who === 'system'
}

function merge(statements: readonly Statement[]): Statement[] {
  const merged: Statement[] = []
  for (const one of statements) {
    const last = merged.at(-1)
    const isMore = last && last.who !== 'call' && last.who === one.who
    if (!isMore || idOf(last) !== idOf(one as SaidText)) merged.push(one)
    else {
      const text = `${last.text}\n${(one as SaidText).text}`
      const cut = [...(last.cut ?? []), ...(one.cut ?? [])]
      const messages = [...last.messages, ...one.messages]
      const parts = [...last.parts, ...one.parts]
      merged.splice(-1, 1, { ...last, text, messages, parts, ...(cut.length > 0 ? { cut } : {}) })
    }
  }
  return merged
}

/** Whether a statement of a prompt equals one of a context. */
export function isSame(said: Statement, heard: Statement): boolean {
  const same = said.cut ? loadTold().sameButCut(said.cut) : undefined
  if (said.who === 'call' || heard.who === 'call') {
    if (said.who !== 'call' || heard.who !== 'call' || said.name !== heard.name) return false
    const isAlike = same ?? equal
    const isFound =
      said.result === undefined || isAlike(plain(said.result), plain(heard.result ?? null))
    return isFound && isAlike(said.parameters, heard.parameters)
  }
  const isAlike = (text: string): boolean =>
    same?.(withoutLineEnds(said.text), text) ?? sameText(said.text, text)
  if (said.who !== heard.who || !isOneUser(said.userId, heard.userId)) return false
  return (
    isAlike(heard.text) ||
    (heard.userId === undefined && isAlike(textAfterName(heard.text, said.userId)))
  )
}

/** The result of a tool, whether the application sends it as JSON, as a text or as a list of one text. */
function plain(result: JsonValue): JsonValue {
  const isListOfOne = Array.isArray(result) && result.length === 1 && isJsonObject(result[0]!)
  const { text } = isListOfOne ? (result[0] as JsonObject) : {}
  const said = typeof text === 'string' ? text : result
  return typeof said === 'string' ? (tryParseJson(said) ?? said) : said
}

/** Whether two texts are equal but for white space at the ends of lines, which editors add and remove. */
function sameText(written: string, asked: string): boolean {
  return written === asked || withoutLineEnds(written) === withoutLineEnds(asked)
}

function withoutLineEnds(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines.join('\n').trimEnd()
}

/**
 * The messages for which a context was written, to show how a prompt differs from it. They are those of the prompt,
 * with the words, parameters and results of the context where these differ. What is not compared stays as it is.
 */
export function contextForDiff(
  exchange: Exchange,
  earlier: readonly Exchange[],
  asked: Prompt,
): Message[] {
  if (saysContext(exchange, earlier, asked)) return asked.messages
  const [said, heard] = statementsOfBoth(exchange, earlier, asked)
  const partners = pair(said, heard)
  const edits = new Edits()
  const kept = new Set(partners)
  for (const other of heard) if (!kept.has(other)) edits.leaveOut(other)
  for (const [index, one] of said.entries()) {
    const other = partners[index]
    if (other && !isSame(one, other)) edits.rewrite(one, other)
  }
  const compared = new Set(heard.flatMap(({ messages }) => messages))
  const free = asked.messages.filter((message) => !compared.has(message))
  const meant = said.map((one, index) => {
    const other = partners[index]
    return other ? edits.messagesLeft(other) : plainMessages(one)
  })
  return inOrder(meant, free, asked.messages).flatMap((message) => edits.apply(message))
}

/** The messages of the statements, in their order, with the free ones where the prompt has them. */
function inOrder(
  meant: ReadonlyArray<readonly Message[]>,
  free: readonly Message[],
  all: readonly Message[],
): Message[] {
  const places = new Map(all.map((message, place) => [message, place]))
  const left = [...free]
  const ordered = new Set<Message>()
  for (const message of meant.flat()) {
    const place = places.get(message) ?? -1
    while (left.length > 0 && places.get(left[0]!)! < place) ordered.add(left.shift()!)
    ordered.add(message)
  }
  return [...ordered, ...left]
}

/** The statement of a prompt that stands for each statement of a context: the same one, or a changed one in its place. */
function pair(
  said: readonly Statement[],
  heard: readonly Statement[],
): Array<Statement | undefined> {
  const partners: Array<Statement | undefined> = said.map(() => undefined)
  let first = 0
  while (first < said.length && first < heard.length && isSame(said[first]!, heard[first]!)) {
    partners[first] = heard[first]
    first++
  }
  const left = heard.slice(first)
  const take = (place: number): Statement | undefined =>
    place < 0 ? undefined : left.splice(place, 1)[0]
  for (let index = said.length - 1; index >= first; index--)
    partners[index] = take(left.findLastIndex((other) => isSame(said[index]!, other)))
  const places = new Map(heard.map((one, place) => [one, place]))
  let after = -1
  const takeChanged = (one: Statement, next: Statement | undefined): Statement | undefined => {
    const before = next ? places.get(next)! : heard.length
    const between = left.filter(
      (other) => other.who === one.who && places.get(other)! > after && places.get(other)! < before,
    )
    const chosen = between.find((other) => isNamesake(one, other)) ?? between[0]
    return chosen && take(left.indexOf(chosen))
  }
  return said.map((one, index) => {
    const next = partners.find((other, at) => at > index && other)
    const partner = partners[index] ?? takeChanged(one, next)
    if (partner) after = places.get(partner)!
    return partner
  })
}

function isNamesake(said: Statement, heard: Statement): boolean {
  return said.who === 'call' && heard.who === 'call' && said.name === heard.name
}

/** The parts and names of a context that replace those of a prompt. */
class Edits {
  readonly #parts: Map<Part, Part[]> = new Map()
  readonly #names: Map<Message, string> = new Map()
  readonly #added: Map<Message, Message[]> = new Map()

  leaveOut({ parts }: Statement): void {
    for (const part of parts) this.#parts.set(part, [])
  }

  /** Puts the content of a statement in the place of another one. */
  rewrite(said: Statement, heard: Statement): void {
    if (said.who === 'call') return this.#rewriteCall(said, heard)
    const whole: Part = { type: 'text', text: said.text }
    // Keeps as many texts apart as the prompt has, so that the diff shows only the changed one.
    const texts = said.parts.length === heard.parts.length ? said.parts : [whole]
    for (const [index, part] of heard.parts.entries())
      this.#parts.set(part, texts.slice(index, index + 1))
    const userId = heard.who === 'call' ? undefined : heard.userId
    if (said.userId === undefined || isOneUser(said.userId, userId)) return
    for (const message of heard.messages) this.#names.set(message, said.userId)
  }

  #rewriteCall(said: Statement, heard: Statement): void {
    const [call, result] = said.parts
    const [sent, returned] = heard.parts
    this.#parts.set(sent!, [{ ...sent, ...call } as Part])
    if (!result) return
    if (returned) this.#parts.set(returned, [{ ...returned, ...result } as Part])
    else this.#added.set(heard.messages.at(-1)!, [{ role: 'tool', parts: [result] }])
  }

  /** The messages that still hold a part of a statement. */
  messagesLeft({ messages, parts }: Statement): Message[] {
    const left = new Set(parts.filter((part) => this.#parts.get(part)?.length !== 0))
    return messages.filter((message) => message.parts.some((part) => left.has(part)))
  }

  /** A message with its edits, and those that come after it; nothing where no part of it is left. */
  apply(message: Message): Message[] {
    const parts = message.parts.flatMap((part) => this.#parts.get(part) ?? part)
    const name = this.#names.get(message)
    const extra = name === undefined ? {} : { extra: { ...message.extra, name } }
    const isEmpty = parts.length === 0 && message.parts.length > 0
    return [
      ...(isEmpty ? [] : [{ ...message, parts, ...extra }]),
      ...(this.#added.get(message) ?? []),
    ]
  }
}

function plainMessages(said: Statement): Message[] {
  if (said.who !== 'call') {
    const { who, parts, userId } = said
    return [{ role: who, parts, ...(userId === undefined ? {} : { extra: { name: userId } }) }]
  }
  const [call, ...results] = said.parts
  const called: Message = { role: 'assistant', parts: [call!] }
  return [called, ...results.map((result): Message => ({ role: 'tool', parts: [result] }))]
}
