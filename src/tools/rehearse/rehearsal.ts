import { resolve } from 'node:path'
import { highestCost } from '../../attempt/spending.ts'
import {
  costText,
  countExchange,
  dollarsText,
  type PriceTable,
  sumUsage,
  type UsageTotal,
} from '../../conversation/cost.ts'
import type { Completion } from '../../prompt/completion.ts'
import { dialectOf } from '../../providers/dialects.ts'
import { countOf } from '../../text/count-of.ts'
import { usageText } from '../programs/run-estimate.ts'
import type { Terminal } from '../terminal/command.ts'
import { invalidCommand } from '../terminal/options.ts'
import { ask } from './ask.ts'
import { type Behaviour, isRefusal } from './compare-behaviour.ts'
import { addEntry, historyEntryOf, lastEntry } from './history.ts'
import { hasDrifted, judgeAsking, type UserJudge } from './judge-asking.ts'
import { PaidAnswersFile, type PaidRehearsal } from './paid-answers-file.ts'
import { keyFor } from './provider-key.ts'
import { type Asking, askingOf, keyOf } from './questions.ts'
import type { RecordedPrompts, RehearseWords } from './rehearse.ts'
import { makeReport, type Report } from './report.ts'

/**
 * Prints what a rehearsal will cost, sends its calls, and resolves to its report.
 *
 * @throws CassetteError `invalid-command` if a key is missing, or a price that `--max-cost` needs.
 */
export async function askAll(
  recorded: RecordedPrompts,
  words: RehearseWords,
  judge: UserJudge | undefined,
  terminal: Terminal,
): Promise<Report> {
  const { samples, prices, maxCost, history, agree } = words
  const asked = recorded.questions.map((question) => askingOf(question, words.models, words.at))
  const askings = asked.flatMap((one) => ('why' in one ? [] : [one]))
  const leftOut = [...recorded.leftOut, ...asked.flatMap((one) => ('why' in one ? [one] : []))]
  const calls = callsOf(askings, samples)
  const kept = new PaidAnswersFile(terminal.cwd)
  const left = calls.filter(({ key, sample }) => !kept.find(key, sample))
  const prompts = calls.length / samples
  const estimate = describeRehearsal(
    prompts,
    calls.length,
    left.length,
    expectedUsage(left, prices),
  )
  refuseKeyless(left, words, terminal.env)
  if (maxCost !== undefined) refuseUnpriced(left, words)
  const cap = maxCost === undefined ? '' : ` At most ${dollarsText(maxCost)} is spent.`
  // Standard output is for the report.
  terminal.warn(`${estimate}${cap}`)
  const state = newState(calls)
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const asking = rehearseAll(calls, state, {
      ...words,
      env: terminal.env,
      kept,
      signal: stop.signal,
    })
    const tell = (): string =>
      `${state.answered} of ${countOf(state.calls, 'answer')}, ${costText(sumUsage(state.spent))}`
    await terminal.progress.during(asking, tell)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
  const { stopped, answers, spent } = state
  const judged = await Promise.all(askings.map((asking) => judgeAsking(asking, answers, judge)))
  const shared = new Set<string>()
  const once = judged.filter((_, index) => {
    const { size } = shared
    return shared.add(keyOf(askings[index]!)).size > size
  })
  const file = history === undefined ? undefined : resolve(terminal.cwd, history)
  const before = file === undefined ? undefined : lastEntry(file)
  const drifted = judged.filter((one) => hasDrifted(one, agree))
  const result = { judged, once, drifted, leftOut, spent: sumUsage(spent), stopped }
  const report = makeReport(result, maxCost, before)
  if (stopped !== undefined) return report
  await kept.forget(calls.map(({ key }) => key))
  if (file !== undefined) addEntry(file, historyEntryOf(drifted, judged, once, new Date()))
  return report
}

type Calls = ReadonlyArray<{ asking: Asking }>

/**
 * Refuses calls without a key before any call is sent: an alarm that skipped them would stay silent.
 *
 * @throws CassetteError `invalid-command` that names the variables.
 */
function refuseKeyless(left: Calls, { keys }: RehearseWords, env: Terminal['env']): void {
  const missing = left.flatMap(({ asking: { request } }) => {
    const found = keyFor(request.url, dialectOf(request).name, env, keys)
    return 'why' in found ? [found.why] : []
  })
  if (missing.length === 0) return
  const each = [...Map.groupBy(missing, (why) => why)]
  const lines = each.map(([why, all]) => `  ${why} (${countOf(all.length, 'call')})`)
  throw invalidCommand(
    `Nothing was asked, since a key is missing:\n${lines.join('\n')}\n` +
      'Set it in the environment or in .env, or name tests that do without: vitest-cassette rehearse <part of a test or path>',
  )
}

/** @throws CassetteError `invalid-command` if `--max-cost` cannot be kept, since a price is unknown. */
function refuseUnpriced(left: Calls, { prices, maxCost }: RehearseWords): void {
  const unknown = left.find(({ asking }) => highestCostOf(asking, prices) === undefined)
  if (!unknown) return
  const { request } = unknown.asking
  const model = dialectOf(request).readPrompt(request).model ?? 'model'
  throw invalidCommand(
    `The price of ${model} is unknown, so --max-cost ${maxCost} cannot be kept.\n` +
      `Say its price: --prices prices.json, with { "${model}": { "input": 1, "output": 2 } } in it, in US dollars for a million tokens.`,
  )
}

/** One answer to a question. */
export type Sample =
  | { behaviour: Behaviour; took: UsageTotal; isKept: boolean }
  /** The provider rejected the request. */
  | { why: string }

interface RehearsalOptions extends Pick<RehearseWords, 'atOnce' | 'prices' | 'keys' | 'timeoutMs'> {
  maxCost?: number | undefined
  env: Terminal['env']
  kept: PaidAnswersFile
  /** After an abort no more calls are sent; those in flight are awaited. */
  signal: AbortSignal
}

/** The progress of a rehearsal. */
interface RehearsalState {
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
function highestCostOf({ question, request }: Asking, prices: PriceTable): number | undefined {
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
  const { model, parameters } = dialect.readPrompt(request)
  const { usage } = completion
  const took = countExchange({ model, parameters, usage, isFree: false, durationMs }, prices)
  return { behaviour: { completion, isRefusal: isRefusal(completion, response) }, took, isKept }
}

/** The expected usage of calls: the recorded tokens at the price of the model that is asked now. */
function expectedUsage(calls: ReadonlyArray<{ asking: Asking }>, prices: PriceTable): UsageTotal {
  return sumUsage(
    calls.map(({ asking: { question, request } }) => {
      const { model } = dialectOf(request).readPrompt(request)
      const { usage } = question.before.completion
      return countExchange(
        { model, usage, isFree: false, durationMs: question.took.durationMs },
        prices,
      )
    }),
  )
}

/** Describes the calls that are about to be made, and their expected cost. */
function describeRehearsal(prompts: number, calls: number, left: number, took: UsageTotal): string {
  const known = calls - left
  const paid =
    known > 0
      ? ` ${countOf(known, 'answer')} of a rehearsal that stopped ${known === 1 ? 'is' : 'are'} there and not asked for.`
      : ''
  if (left === 0) return `Rehearses ${countOf(prompts, 'recorded prompt')}.${paid}`
  return `Rehearses ${countOf(prompts, 'recorded prompt')}. By last time's figures: ${usageText(took)}.${paid}`
}
