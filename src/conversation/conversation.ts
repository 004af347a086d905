import type { Cassette, Exchange } from '../cassette/cassette.ts'
import { hashOfText, readHash } from '../cassette/written.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { valueAt, equal } from '../json/walk.ts'
import type { Completion } from '../prompt/completion.ts'
import { isWordless, type Message, isAssistant, isSystem } from '../prompt/prompt.ts'
import { defined, unlessEmpty } from '../providers/fields.ts'
import { jsonOf } from '../wire/body.ts'
import { isMcpAddress, mcpServerOf } from '../wire/address.ts'
import { contextOf } from './context.ts'
import type { ContextEntry } from './context-file.ts'
import {
  type AssistantEntry,
  callsIn,
  entriesOfContext,
  type Entry,
  type EntryPlace,
  openCall,
  type PairedCall,
  pairResults,
  type SaidEntry,
} from './entries.ts'
import { readSteps, type RecordedStep } from './step.ts'
import { linkThreads, type Thread } from './threads.ts'
import { isRequestHash } from '../prompt/request-hash.ts'

export type { AssistantEntry, DroppedEntry, Entry, SaidEntry } from './entries.ts'

/** One thread, with each of its messages once. */
export interface Conversation {
  /** `thread-1`, `thread-2`, … */
  thread: string
  /** The number of the repeat of the test, where its cassette has several. */
  sample?: number
  branchOf?: Thread['branchOf']
  /** The model that was asked last. */
  model?: string
  entries: Entry[]
  steps: RecordedStep[]
  /** The parts of requests that are not compared, since the person who wrote the exchanges did not state them. */
  uncompared?: string[]
}

/** An id of a user. Some applications put more than an id where a provider expects one. */
const USER_ID = /^[\w.@:+-]{1,64}$/

/** The parts of an answer that have fields of their own in an entry. */
const IN_WORDS = new Set(['text', 'reasoning', 'tool_call'])

/** The finish reasons of an answer that is still to come. */
const PENDING = new Set(['queued', 'in_progress', 'starting', 'processing'])

/** The conversations of a cassette, in the order in which they begin. */
export function readConversations(cassette: Cassette): Conversation[] {
  const samples = Map.groupBy(cassette.exchanges, ({ sample = 1 }) => sample)
  if (samples.size < 2) return linkThreads(readSteps(cassette)).map(readThread)
  const all: Conversation[] = []
  for (const [sample, exchanges] of samples) {
    // Threads of all samples are numbered together.
    const before = all.length
    const named = (id: string): string => `thread-${Number(id.slice('thread-'.length)) + before}`
    for (const { id, branchOf, steps } of linkThreads(readSteps({ ...cassette, exchanges }))) {
      const branch = branchOf && { branchOf: { ...branchOf, thread: named(branchOf.thread) } }
      all.push({ ...readThread({ id: named(id), ...branch, steps }), sample })
    }
  }
  return all
}

function readThread({ id, branchOf, steps }: Thread<RecordedStep>): Conversation {
  const entries: Entry[] = []
  const calls: PairedCall[] = []
  let turn = 0
  const add = (entry: AssistantEntry): void => {
    entries.push(entry)
    for (const call of entry.calls) calls.push(call)
  }
  for (const { step, fresh, dropped } of steps) {
    const { completion, asked, answered, exchange } = step
    const context = contextOf(exchange)
    if (context) {
      const [answer] = entriesOfContext([context.answer], exchange.id) as [AssistantEntry]
      const before = step.agent === undefined ? context.before : unsaidIn(context.before, entries)
      entries.push(...entriesOfContext(before, exchange.id))
      add({ ...answer, ...answerEntry(completion) })
      if (step === steps.at(-1)?.step) entries.push(...entriesOfContext(context.after, exchange.id))
      turn = answer.turn
      continue
    }
    if (step.wire && isMcpAddress(step.wire.request.url)) {
      add({ ...mcpEntry(step), turn, time: asked, exchange: exchange.id })
      continue
    }
    const place = (time: string): EntryPlace => ({ turn, time, exchange: exchange.id })
    if (dropped > 0) entries.push({ role: 'dropped', messages: dropped, ...place(asked) })
    let said = 0
    for (const message of fresh) {
      const rest = { ...message, parts: pairResults(message, calls) }
      if (rest.parts.length === 0 && message.parts.length > 0) continue
      const role = roleOf(rest)
      if (role === 'user') turn++
      const time = step.times[said++] ?? asked
      const userId = role === 'user' ? userIdOf(message, step) : undefined
      if (role === 'assistant') add({ ...assistantEntry(rest), ...place(time) })
      else entries.push({ role, ...saidEntry(rest, userId), ...place(time) })
    }
    if (isAnswer(completion)) add({ ...answerEntry(completion), ...place(answered) })
  }
  // A thread without entries shows its last answer, though it is empty.
  const last = steps.at(-1)?.step
  if (last && entries.length === 0) {
    const { completion, answered: time, exchange } = last
    add({ ...answerEntry(completion), turn, time, exchange: exchange.id })
  }
  const exchanges = steps.map(({ step }) => step.exchange)
  addUnsentResults(entries, exchanges)
  const model = steps.findLast(({ step }) => step.prompt.model !== undefined)?.step.prompt.model
  return defined({
    thread: id,
    branchOf,
    model,
    entries,
    steps: steps.map(({ step }) => step),
    uncompared: uncomparedIn(exchanges, entries),
  })
}

/** The entries of a context that its thread has not said yet: where agents of a trace take turns, each tells all anew. */
function unsaidIn(context: readonly ContextEntry[], entries: readonly Entry[]): ContextEntry[] {
  const said = (entry: Pick<ContextEntry, 'role' | 'content'> | undefined): JsonValue =>
    entry ? [entry.role, entry.content as JsonValue] : null
  const isSaid = entries.every(({ written }, place) => equal(said(written), said(context[place])))
  return context.slice(isSaid ? entries.length : 0)
}

/** A call of an MCP tool, with its result. No model has said any of it. */
function mcpEntry({
  prompt,
  completion,
  wire,
}: RecordedStep): Omit<AssistantEntry, keyof EntryPlace> {
  const { text, error } = completion
  const calls = prompt.messages.flatMap(({ parts }) =>
    parts.flatMap((part): PairedCall[] =>
      part.type === 'tool_call' ? [{ name: part.name, parameters: part.arguments }] : [],
    ),
  )
  if (error === undefined && text !== '') for (const call of calls) call.result = text
  return {
    role: 'assistant',
    server: mcpServerOf(wire!.request.url),
    text: '',
    calls,
    completion,
  }
}

/** Adds results that no later request sent back. The readable half of a hand-written exchange can have them. */
function addUnsentResults(entries: Entry[], exchanges: Exchange[]): void {
  for (const [at, { calls }] of answersIn(entries).entries()) {
    const told = exchanges[at]!.response.tool_calls ?? []
    for (const [index, call] of calls.entries()) call.result ??= told[index]?.result
  }
}

/** The answers of the model, one for each step. */
export function answersIn(entries: readonly Entry[]): AssistantEntry[] {
  return entries.filter(
    (entry): entry is AssistantEntry =>
      entry.role === 'assistant' && entry.completion !== undefined,
  )
}

function roleOf(message: Message): 'system' | 'user' | 'assistant' | 'tool' {
  if (isSystem(message)) return 'system'
  if (isAssistant(message)) return 'assistant'
  return message.role === 'tool' || message.role === 'function' ? 'tool' : 'user'
}

function saidEntry(
  { parts, extra }: Message,
  userId: string | undefined,
): Pick<SaidEntry, 'parts' | 'extra' | 'userId'> {
  const { name, ...others } = extra ?? {}
  const rest = name === undefined || name === userId ? others : { name, ...others }
  return defined({ parts, extra: unlessEmpty(rest), userId: userId || undefined })
}

/** An assistant message in the history that the application sent. */
function assistantEntry({ parts, extra }: Message): Omit<AssistantEntry, keyof EntryPlace> {
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []))
  const thoughts = parts.flatMap((part) => (part.type === 'reasoning' ? part.text : []))
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? openCall(part) : []))
  const more = parts.filter(({ type }) => !IN_WORDS.has(type))
  return defined({
    role: 'assistant',
    text: texts.join('\n'),
    reasoning: thoughts.join('\n\n') || undefined,
    calls,
    more: more.length > 0 ? more : undefined,
    extra: extra && unlessEmpty(extra),
  })
}

/** False for an answer that is still to come, as for polls and the first frames of a socket. */
function isAnswer({ text, reasoning, toolCalls, finishReasons, ...end }: Completion): boolean {
  if (text !== '' || reasoning || toolCalls.length > 0 || end.error || end.incomplete) return true
  return finishReasons.some((reason) => !PENDING.has(reason))
}

function answerEntry(completion: Completion): Omit<AssistantEntry, keyof EntryPlace> {
  const { text, reasoning, toolCalls } = completion
  const calls = toolCalls.map(openCall)
  return defined({ role: 'assistant', text, reasoning: reasoning || undefined, calls, completion })
}

/** The user, read from the fields in which OpenAI and Anthropic let an application name one. */
function userIdOf({ extra }: Message, { wire }: RecordedStep): string | undefined {
  const value = wire && jsonOf(wire.request.body)
  const body = isJsonObject(value) ? value : {}
  const metadata = isJsonObject(body.metadata) ? body.metadata : {}
  if (typeof extra?.name === 'string' && extra.name !== '') return extra.name
  const names = [body.safety_identifier, body.user, metadata.user_id]
  return names.find((name) => typeof name === 'string' && USER_ID.test(name)) as string | undefined
}

/** How often a user spoke in conversations. Texts that were embedded are data. */
export function countTurns(conversations: readonly Conversation[]): number {
  const spoken = conversations.filter(
    ({ steps }) => steps.length === 0 || !steps.every(({ prompt }) => isWordless(prompt.operation)),
  )
  const entries = spoken.flatMap((conversation) => conversation.entries)
  return entries.filter(({ role }) => role === 'user').length
}

/** The parts of requests that the hand-written exchanges of a thread do not state, so that they are not compared. */
function uncomparedIn(
  exchanges: readonly Exchange[],
  entries: readonly Entry[],
): string[] | undefined {
  const written = exchanges.filter((exchange) => !exchange.wire && !hasHashOfRequest(exchange))
  if (written.length === 0) return undefined
  const names = written.flatMap(({ prompt }) => Object.keys(prompt.metadata))
  const isContext = written.every((exchange) => contextOf(exchange))
  const has = (role: Entry['role']): boolean => entries.some((entry) => entry.role === role)
  const isUntold = ({ result }: { result?: unknown }): boolean => result === undefined
  const calls = callsIn(entries)
  const isNamed = entries.every((entry) => entry.role !== 'user' || entry.userId !== undefined)
  return [
    ...(isContext ? [] : ['all but the last text of the user']),
    ...(isContext && !has('system') ? ['instructions'] : []),
    ...(isContext && !isNamed ? ['names of users'] : []),
    ...(isContext && calls.some(isUntold) ? ['results of calls'] : []),
    ...(isContext && !names.includes('tools') ? ['tools'] : []),
    ...(isContext ? ['pictures and files'] : []),
    ...(written.every(({ prompt }) => 'model' in prompt.metadata) ? [] : ['model']),
    ...Array.from(ifSentIn(written), (name) => `${name} where it is not sent`),
    names.some((name) => !KNOWN.has(name)) ? 'other parameters' : 'parameters',
  ]
}

/** The parameters of traces that are compared only with a request that has them. */
function ifSentIn(written: readonly Exchange[]): Set<string> {
  const lists = written.map(({ prompt }) => valueAt(prompt.metadata, ['traced', 'if_sent']))
  return new Set(lists.flatMap((list) => (Array.isArray(list) ? list.map(String) : [])))
}

/** Whether an exchange has the hash of its whole request, which covers every part of it. */
function hasHashOfRequest({ prompt }: Exchange): boolean {
  const { hash = '', text } = prompt
  const read = readHash(hash)
  return read === undefined ? isRequestHash(hash) : read !== hashOfText(text)
}

const KNOWN = new Set(['context', 'model', 'provider', 'operation', 'tools', 'traced'])
