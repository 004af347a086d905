import { highestCost } from '../../attempt/spending.ts'
import { countExchange, type PriceTable, type UsageTotal } from '../../conversation/cost.ts'
import { dialectOf } from '../../providers/dialects.ts'
import type { Completion } from '../../prompt/completion.ts'
import { ask } from './ask.ts'
import type { Asking } from './asking.ts'
import type { Behaviour } from './compare-behaviour.ts'
import type { PaidRehearsal, PaidAnswersFile } from './paid-answers-file.ts'
import { keyFor, type OwnKeys } from './provider-key.ts'
import { keyOf } from './question.ts'
import { isRefusal } from './refusal.ts'

/** One answer to a question. */
export type Sample =
  | { behaviour: Behaviour; took: UsageTotal; isKept: boolean }
  /** The provider rejected the request. */
  | { why: string }

interface RehearsalOptions {
  /** In US dollars. */
  maxCost?: number
  /** How many calls are in flight at once. */
  atOnce: number
  prices: PriceTable
  env: Readonly<Record<string, string | undefined>>
  keys: OwnKeys
  timeoutMs: number
  kept: PaidAnswersFile
  /** After an abort no more calls are sent; those in flight are awaited. */
  signal: AbortSignal
}

/** The progress of a rehearsal. */
export interface RehearsalState {
  /** The usage of each call that was sent and answered. */
  spent: UsageTotal[]
  /** The number of answers that an earlier rehearsal has paid for. */
  kept: number
  answered: number
  calls: number
  /** Why it stopped early. */
  stopped?: string
  /** The answers by the key of the question; incomplete if the rehearsal stopped. */
  answers: Map<string, Sample[]>
}

interface Call {
  key: string
  sample: number
  asking: Asking
}

/** The calls of a rehearsal. Equal questions share them; the first samples of all come before the second ones. */
export function callsOf(askings: readonly Asking[], samples: number): Call[] {
  const byKey = new Map(askings.map((asking) => [keyOf(asking), asking]))
  return Array.from({ length: samples }, (_, sample) =>
    [...byKey].map(([key, asking]) => ({ key, sample, asking })),
  ).flat()
}

/** The calls that no earlier rehearsal has an answer to. */
export function callsLeft(calls: readonly Call[], kept: PaidAnswersFile): Call[] {
  return calls.filter(({ key, sample }) => !kept.find(key, sample))
}

/** The state of a rehearsal before its first call. */
export function newState(calls: readonly Call[]): RehearsalState {
  return { spent: [], kept: 0, answered: 0, calls: calls.length, answers: new Map() }
}

/** Makes the calls, several at a time. Stops early on an abort, at `maxCost`, or if a provider cannot be asked. */
export async function rehearseAll(
  calls: readonly Call[],
  state: RehearsalState,
  options: RehearsalOptions,
): Promise<void> {
  const { kept, signal, maxCost } = options
  let next = 0
  let paid = 0
  let onItsWay = 0
  async function work(): Promise<void> {
    while (next < calls.length && state.stopped === undefined) {
      const call = calls[next++]!
      const known = kept.find(call.key, call.sample)
      if (known) {
        addAnswer(call, known, true)
        continue
      }
      if (signal.aborted) return void stop('it was interrupted')
      const most = highestCostOf(call.asking, options.prices) ?? 0
      if (maxCost !== undefined && paid + onItsWay + most > maxCost)
        return void stop('the next call could pass --max-cost')
      onItsWay += most
      const took = await askFor(call)
      onItsWay -= most
      // A call of unknown cost may have cost as much as expected.
      if (took) paid += took.unpriced > 0 ? most : took.cost
    }
  }
  async function askFor(call: Call): Promise<UsageTotal | undefined> {
    const { request } = call.asking
    const { env, keys, timeoutMs } = options
    const credentials = keyFor(request.url, dialectOf(request).name, env, keys)
    if ('why' in credentials) return void stop(credentials.why)
    const asked = await ask(request, { ...credentials, timeoutMs, env })
    if (asked.kind === 'stop') return void stop(asked.why)
    if (asked.kind === 'refused') return void add(call.key, { why: asked.why })
    kept.add(call.key, call.sample, asked)
    return addAnswer(call, asked, false)
  }
  function addAnswer({ key, asking }: Call, answer: PaidRehearsal, isKept: boolean): UsageTotal {
    const sample = readSample(asking, answer, options.prices, isKept)
    if (isKept) state.kept++
    else state.spent.push(sample.took)
    add(key, sample)
    return sample.took
  }
  function add(key: string, sample: Sample): void {
    state.answered++
    state.answers.set(key, [...(state.answers.get(key) ?? []), sample])
  }
  function stop(why: string): void {
    state.stopped ??= why
  }
  await Promise.all(Array.from({ length: options.atOnce }, work))
}

/** The highest cost of a call; `undefined` if its model has no price. */
export function highestCostOf(
  { question, request }: Asking,
  prices: PriceTable,
): number | undefined {
  const output = question.before.completion.usage?.outputTokens ?? 0
  return highestCost(dialectOf(request).readPrompt(request), request.body, [output], prices)
}

function readSample(
  { request }: Asking,
  { response, durationMs }: PaidRehearsal,
  prices: PriceTable,
  isKept: boolean,
): Extract<Sample, { behaviour: Behaviour }> {
  const dialect = dialectOf(request)
  const completion: Completion = dialect.readCompletion(response)
  const { model } = dialect.readPrompt(request)
  const { usage } = completion
  const took = countExchange({ model, usage, isFree: false, durationMs }, prices)
  return { behaviour: { completion, isRefusal: isRefusal(completion, response) }, took, isKept }
}
