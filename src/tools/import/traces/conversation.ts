import stableStringify from 'fast-json-stable-stringify'
import { isJsonObject, type JsonValue } from '../../../json/json-value.ts'
import { equal } from '../../../json/walk.ts'
import { type Message, isAssistant, isSystem } from '../../../prompt/prompt.ts'
import { defined } from '../../../providers/fields.ts'
import { ofMessages } from './answers.ts'
import { choicesAsked } from './choices.ts'
import { cutTextsOf, limitOf } from './cuts.ts'
import { parsed, stringIn } from './messages.ts'
import type { HeldAnswer, HeldChoice, HeldToolCall, ModelCall, NotHeld } from './model-call.ts'
import { spokenDialect, providerNamed } from './provider-words.ts'
import {
  compareTexts,
  type Convention,
  type HeldCall,
  type TraceSpan,
  type ToolRun,
} from './span.ts'
import { numberIn } from './held.ts'

type ConventionOf = (span: TraceSpan) => Convention | undefined

/** The calls of a model in the spans of one trace, in the order in which they were made. */
export function readConversation(
  spans: readonly TraceSpan[],
  conventionOf: ConventionOf,
): { calls: ModelCall[]; otherSpans: number; orphans: number } {
  const tree = new Tree(spans, conventionOf)
  const limit = limitOf(spans.flatMap(({ attributes }) => Object.values(attributes)))
  const told = tree
    .calls()
    .map((chain) => chain.map((span) => ({ span, held: tree.convention(span).readCall(span) })))
  const found = ofOneAnswer(told).map((readings) => callOf(readings, tree, limit))
  const calls = inOrder(found)
  restoreCalls(calls)
  giveResults(calls, tree.toolRuns())
  return {
    calls,
    otherSpans: spans.length - found.length,
    orphans: spans.filter(({ parentId }) => parentId !== undefined && !tree.span(parentId)).length,
  }
}

/** The spans of a trace by what they are. */
class Tree {
  readonly #spans: Map<string, TraceSpan>
  readonly #conventionOf: ConventionOf

  constructor(spans: readonly TraceSpan[], conventionOf: ConventionOf) {
    this.#spans = new Map(spans.map((span) => [span.id, span]))
    this.#conventionOf = conventionOf
  }

  span(id: string): TraceSpan | undefined {
    return this.#spans.get(id)
  }

  convention(span: TraceSpan): Convention {
    return this.#conventionOf(span)!
  }

  /**
   * The calls, each with the spans that tell of it: several instrumentations can wrap one call, and the SDK of a provider
   * writes a span of its own. A span around several calls repeats what they say, and is none.
   */
  calls(): TraceSpan[][] {
    const models = [...this.#spans.values()].filter((span) => this.kindOf(span) === 'model')
    const inside = Map.groupBy(
      models.filter((span) => this.#callAround(span)),
      (span) => this.#callAround(span)!,
    )
    const chainFrom = (span: TraceSpan): TraceSpan[][] => {
      const inner = inside.get(span) ?? []
      if (inner.length === 0) return [[span]]
      const chains = inner.flatMap(chainFrom)
      return chains.length === 1 ? [[span, ...chains[0]!]] : chains
    }
    return models.filter((span) => !this.#callAround(span)).flatMap(chainFrom)
  }

  kindOf(span: TraceSpan): ReturnType<Convention['kindOf']> {
    return this.#conventionOf(span)?.kindOf(span)
  }

  /** The nearest agent around a span; the trace where there is none. */
  threadOf(span: TraceSpan): ModelCall['thread'] {
    const agent = this.#around(span, (one) => this.kindOf(one) === 'agent')
    if (!agent) return { id: span.traceId }
    return { id: agent.id, name: this.convention(agent).agentName?.(agent) || undefined }
  }

  conversationOf(span: TraceSpan): string | undefined {
    const told = (one: TraceSpan): string | undefined =>
      this.#conventionOf(one)?.conversation?.(one)
    const outer = this.#around(span, (one) => told(one) !== undefined)
    return told(span) ?? (outer && told(outer))
  }

  toolRuns(): ToolRun[] {
    return [...this.#spans.values()].flatMap((span) =>
      this.kindOf(span) === 'tool' ? (this.convention(span).readTool?.(span) ?? []) : [],
    )
  }

  /** The call around a span, unless a tool or an agent is between them, which then asks a model of its own. */
  #callAround(span: TraceSpan): TraceSpan | undefined {
    const outer = this.#around(span, (one) => typeof this.kindOf(one) === 'string')
    return outer && this.kindOf(outer) === 'model' ? outer : undefined
  }

  #around(span: TraceSpan, is: (span: TraceSpan) => boolean): TraceSpan | undefined {
    const seen = new Set<TraceSpan>([span])
    let outer = span
    for (;;) {
      const next = outer.parentId === undefined ? undefined : this.#spans.get(outer.parentId)
      // A file can name a span as its own ancestor.
      if (!next || seen.has(next)) return undefined
      if (is(next)) return next
      seen.add(next)
      outer = next
    }
  }
}

/** A call as one of its spans tells it. */
interface Reading {
  span: TraceSpan
  held: HeldCall
}

/** The calls, those that stand beside each other joined that have the id of one answer: two tracers wrote them. */
function ofOneAnswer(calls: readonly Reading[][]): Reading[][] {
  const joined: Reading[][] = []
  const byId = new Map<string, Reading[][]>()
  for (const call of calls) {
    const id = idOf(call)
    const known = id === undefined ? [] : (byId.get(id) ?? [])
    const same = known.find((one) => isAtOnce(one[0]!.span, call[0]!.span))
    if (same) {
      same.push(...call)
      continue
    }
    const own = [...call]
    joined.push(own)
    if (id !== undefined) byId.set(id, [...known, own])
  }
  return joined
}

/** The id of the answer; that of an SDK's own tests is a placeholder. */
function idOf(call: readonly Reading[]): string | undefined {
  const id = call.find(({ held }) => held.responseId)?.held.responseId
  return id !== undefined && /^[\w.:-]+$/.test(id) ? id : undefined
}

/** Whether two spans overlap; an answer that is kept and given again has a later one. */
function isAtOnce(one: TraceSpan, other: TraceSpan): boolean {
  if (!one.start || !one.end || !other.start || !other.end) return false
  return one.start <= other.end && other.start <= one.end
}

/** One call, of the span that tells most of it, and of the others what that one lacks. */
function callOf(call: readonly Reading[], tree: Tree, limit: number | undefined): ModelCall {
  const readings = call.toSorted((one, other) => told(other.held) - told(one.held))
  const { span, held } = readings[0]!
  const others = readings.slice(1)
  const prompt = Object.assign(
    {},
    ...others.toReversed().map((one) => one.held.prompt),
    held.prompt,
  ) as HeldCall['prompt']
  const failures = readings.flatMap(
    (one) => failureOf({ ...one.span, failure: one.span.failure ?? one.held.failure }) ?? [],
  )
  const [failure] = failures
  const answer: HeldAnswer = {
    ...held.answer,
    ...defined({
      error: failure && (failures.find(({ error }) => error !== '') ?? failure).error,
      status: failures.find(({ status }) => status !== undefined)?.status,
    }),
  }
  const outer = call[0]!.span
  const { start, end } = outer
  const read = {
    traceId: span.traceId,
    spanId: span.id,
    name: span.name,
    emitter: tree.convention(span).name,
    start: start ? isoOf(start) : undefined,
    durationMs: start && end ? Math.max(0, Number(end - start) / 1e6) : undefined,
    thread: tree.threadOf(outer),
    conversation: tree.conversationOf(span) || undefined,
    prompt: { ...prompt, provider: providerNamed(prompt.provider ?? '') || prompt.provider },
    answer,
    streamed: readings.find((one) => one.held.streamed !== undefined)?.held.streamed,
    dialect: spokenDialect(
      prompt.provider,
      readings.find((one) => one.held.responseId)?.held.responseId,
    ),
    ifSent: held.ifSent,
  }
  return {
    ...read,
    notHeld: notHeldIn(read, held),
    cut: cutTextsOf(read, limit, held.cutTexts ?? []),
  }
}

/** How much a reading tells, to choose among several of one call. */
function told({ prompt, answer }: HeldCall): number {
  const parts = prompt.messages?.flatMap((message) => message.parts) ?? []
  const known = parts.filter(({ type }) => type !== 'other').length
  return (
    known * 4 +
    (prompt.isWhole ? 3 : 0) +
    (prompt.tools ? 2 : 0) +
    (answer.text !== '' || answer.tool_calls ? 4 : 0) +
    (prompt.parameters ? 1 : 0)
  )
}

function notHeldIn(
  { prompt, answer, dialect }: Pick<ModelCall, 'prompt' | 'answer' | 'dialect'>,
  {
    hasInstructions,
    isAnsweredModel,
    isOtherLimit,
  }: Pick<HeldCall, 'hasInstructions' | 'isAnsweredModel' | 'isOtherLimit'>,
): NotHeld[] {
  // In chat completions, they are messages like others.
  const tellsInstructions = prompt.isWhole ?? hasInstructions ?? dialect === 'openai-chat'
  const { messages, isWhole, tools, parameters, model } = prompt
  const isAnswered =
    answer.error !== undefined || answer.text !== '' || answer.tool_calls !== undefined
  const asked = choicesAsked(parameters)
  const choices = 1 + (answer.otherChoices?.length ?? 0)
  const lacking: Array<[NotHeld, boolean]> = [
    ['messages', !messages],
    ['instructions', !tellsInstructions && !messages?.some(isSystem)],
    ['tools', !isWhole && tools === undefined],
    ['parameters', !isWhole && parameters === undefined],
    ['model', model === undefined || isAnsweredModel === true],
    ['answer', !isAnswered],
    ['arguments', answer.tool_calls?.some((one) => one.parameters === null) === true],
    ['status', answer.error !== undefined && answer.status === undefined],
    ['limit', isOtherLimit === true],
    ['choices', isAnswered && answer.error === undefined && choices < (asked ?? 1)],
    ['count', choices > 1 && asked === undefined],
    [
      'files',
      messages?.some(({ parts }) =>
        parts.some(({ type }) => type === 'other' || type === 'uri'),
      ) === true,
    ],
  ]
  return lacking.flatMap(([what, isLacking]) => (isLacking ? [what] : []))
}

function isoOf(nanos: bigint): string {
  const date = new Date(Number(nanos / 1_000_000n)).toISOString()
  // All digits, so that texts are in the order of times.
  return date.replace('Z', `${(nanos % 1_000_000n).toString().padStart(6, '0')}Z`)
}

/**
 * In the order of their start; those that began at one time, and those of a trace without times, by how much had been
 * said before.
 */
function inOrder(calls: readonly ModelCall[]): ModelCall[] {
  const hasTimes = calls.every(({ start }) => start !== undefined)
  return calls.toSorted(
    (one, other) =>
      (hasTimes ? compareTexts(one.start!, other.start!) : 0) ||
      saidBefore(one) - saidBefore(other) ||
      compareTexts(one.spanId, other.spanId),
  )
}

function saidBefore({ prompt }: ModelCall): number {
  return prompt.messages?.reduce((sum, { parts }) => sum + parts.length, 0) ?? 0
}

/** Takes the calls of tools that a tracer lost in an answer from the prompt that repeats it. */
function restoreCalls(calls: readonly ModelCall[]): void {
  const next = continuations(calls)
  for (const call of calls) {
    const { answer, prompt } = call
    const later = next.get(call)
    if (answer.error !== undefined || !later) continue
    const repeated = answerAfter(later.prompt.messages!, prompt.messages!)
    // The application may have gone on with another choice.
    const isOther = answer.otherChoices?.some((one) => saysSame(one, repeated)) === true
    if (isOther || !hasLost(answer, repeated)) continue
    call.answer = {
      ...answer,
      text: answer.text || repeated.text,
      tool_calls: repeated.tool_calls ?? answer.tool_calls,
      isRestored: true,
    }
    const isHeld = notHeldIn(call, {})
    call.notHeld = call.notHeld.filter((one) => !OF_ANSWER.has(one) || isHeld.includes(one))
  }
}

function saysSame(one: HeldChoice, other: HeldChoice): boolean {
  const said = ({ text, tool_calls: calls = [] }: HeldChoice): JsonValue => [
    text,
    ...calls.map(({ tool_name: name, parameters }) => [name, parameters]),
  ]
  return equal(said(one), said(other))
}

/** What of an answer can be missing. */
const OF_ANSWER = new Set<NotHeld>(['answer', 'arguments'])

/** Whether an answer lacks what the next prompt repeats of it: all of it, calls, or their ids or arguments. */
function hasLost(answer: HeldAnswer, repeated: HeldAnswer): boolean {
  const { tool_calls: own = [] } = answer
  const { tool_calls: calls = [] } = repeated
  if (own.length < calls.length) return true
  if (calls.length === 0) return answer.text === '' && own.length === 0 && repeated.text !== ''
  return own.some(
    ({ id, parameters }, index) =>
      id === undefined || (!isGiven(parameters) && isGiven(calls[index]?.parameters ?? null)),
  )
}

function isGiven(parameters: JsonValue): boolean {
  return isJsonObject(parameters) && Object.keys(parameters).length > 0
}

/** The first later call of each whose prompt begins with its prompt, and says more. */
function continuations(calls: readonly ModelCall[]): Map<ModelCall, ModelCall> {
  // Prompts grow, so that most of them share their beginning: each part has a number by all parts before it.
  const numbers = new Map<string, number>()
  const numberOf = (before: number, part: JsonValue): number => {
    const key = `${before} ${stableStringify(part)}`
    if (!numbers.has(key)) numbers.set(key, numbers.size + 1)
    return numbers.get(key)!
  }
  const next = new Map<ModelCall, ModelCall>()
  const goesOn = new Map<number, ModelCall>()
  for (const call of calls.toReversed()) {
    let last = 0
    const path = partsOf(call.prompt.messages ?? []).map((part) => (last = numberOf(last, part)))
    const later = goesOn.get(last)
    if (later && call.prompt.messages) next.set(call, later)
    for (const number of [0, ...path.slice(0, -1)]) goesOn.set(number, call)
  }
  return next
}

/** What the assistant says in a prompt, right behind an earlier one. */
function answerAfter(messages: readonly Message[], earlier: readonly Message[]): HeldAnswer {
  const rest = messages
    .filter((one) => !isSystem(one))
    .slice(earlier.filter((one) => !isSystem(one)).length)
  const end = rest.findIndex((one) => !isAssistant(one))
  return ofMessages(end < 0 ? rest : rest.slice(0, end), [])
}

function partsOf(messages: readonly Message[]): JsonValue[] {
  return messages
    .filter((one) => !isSystem(one))
    .flatMap(({ role, parts }) => parts.map((part) => [role, part] as unknown as JsonValue))
}

/** Gives each call of a tool its result: the one that the model was sent, or else that of the span of the tool. */
function giveResults(calls: readonly ModelCall[], runs: readonly ToolRun[]): void {
  const sent = new Map<string, JsonValue>()
  for (const { prompt } of calls)
    for (const part of prompt.messages?.flatMap(({ parts }) => parts) ?? [])
      if (part.type === 'tool_call_response' && part.id !== undefined)
        sent.set(part.id, part.result)
  const open = [...runs]
  for (const { answer } of calls)
    answer.tool_calls = answer.tool_calls?.map((call) => {
      const run = takeRun(call, open)
      const result = (call.id === undefined ? undefined : sent.get(call.id)) ?? run?.result
      return result === undefined ? call : { ...call, result }
    })
  for (const { answer } of calls) if (!answer.tool_calls) delete answer.tool_calls
}

/** The run of a call, by its id; by its name and its arguments where tracers have no ids. Each run is of one call. */
function takeRun(
  { id, tool_name: name, parameters }: HeldToolCall,
  open: ToolRun[],
): ToolRun | undefined {
  const isById = (run: ToolRun): boolean => id !== undefined && run.callId === id
  const isByName = (run: ToolRun): boolean =>
    run.callId === undefined &&
    run.name === name &&
    equal(parsed(run.parameters ?? null), parameters)
  const place = [open.findIndex(isById), open.findIndex(isByName)].find((one) => one >= 0)
  return place === undefined ? undefined : open.splice(place, 1)[0]
}
/** The error with which a call ended, if it did; without a status where the trace does not tell it. */
function failureOf(
  span: Pick<TraceSpan, 'attributes' | 'events'> & { failure: string | undefined },
): { error: string; status: number | undefined } | undefined {
  const { attributes, events, failure } = span
  const exception = events.find(({ name }) => name === 'exception')?.attributes ?? {}
  const thrown = stringIn(exception, 'exception.message')
  const type = stringIn(attributes, 'error.type') ?? stringIn(exception, 'exception.type')
  if (failure === undefined && thrown === undefined && type === undefined) return undefined
  const told = failure || thrown || type || ''
  const status =
    numberIn(attributes['http.response.status_code']) ??
    statusIn(told) ??
    STATUSES.find(([pattern]) => pattern.test(`${type} ${told}`))?.[1]
  return { error: messageIn(told), status }
}

/** `429 Rate limit reached`, also behind the name of the error. */
function statusIn(text: string): number | undefined {
  const [, status] = /^(?:[\w.]*Error:? ?(?:code: )?)?([45]\d\d)\b/i.exec(text) ?? []
  return status === undefined ? undefined : Number(status)
}

/** The names of errors in SDKs, and the words of providers. */
const STATUSES: ReadonlyArray<[RegExp, number]> = [
  [/rate.?limit|too many requests|resource_exhausted|ThrottlingException/i, 429],
  [/overloaded/i, 529],
  [/authentication|unauthorized|invalid.?api.?key/i, 401],
  [/permission.?denied|forbidden/i, 403],
  [/not.?found/i, 404],
  [/bad.?request|invalid.?request/i, 400],
  [/unprocessable/i, 422],
  [/internal.?server|api_error/i, 500],
  [/service.?unavailable/i, 503],
]

/** The words of the provider, out of the body of its answer and of what the SDK has put before it. */
function messageIn(told: string): string {
  const plain = told
    .split('\n')[0]!
    .replace(/^(?:[\w.]*Error:? )?(?:(?:code: )?[45]\d\d (?:- )?)?/i, '')
  return wordsIn(parsed(plain)) ?? plain
}

function wordsIn(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined
  return stringIn(value, 'message') ?? wordsIn(value.error ?? null)
}
