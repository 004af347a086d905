import { randomUUID } from 'node:crypto'
import {
  costOf,
  countExchange,
  dollarsText,
  PriceTable,
  sumUsage,
  type UsageTotal,
} from '../conversation/cost.ts'
import { isFree } from '../conversation/usage.ts'
import { completionFor, promptFor } from '../engine/read-prompt.ts'
import type { AskedRequest } from '../engine/session-contract.ts'
import type { Session } from '../engine/session.ts'
import { CassetteError } from '../errors.ts'
import type { Prompt } from '../prompt/prompt.ts'
import type { Body } from '../wire/body.ts'
import { isMcpAddress } from '../wire/address.ts'
import {
  appendLine,
  isDiscarded,
  readLines,
  readPlan,
  type RunLine,
  type TestCassetteLine,
} from './run-channel.ts'

/** The keys of calls, unique among all processes of a run. */
const keys = new WeakMap<AskedRequest, string>()

/**
 * Reserves the estimated cost of a call in the budget of `vitest-cassette record`, before the call is sent.
 *
 * @returns the reason where the call must not be sent
 */
export function reserve(session: Session, asked: AskedRequest): CassetteError | undefined {
  const { config, recorded } = session
  if (!config.run) return undefined
  const run = config.run.folder
  const key = randomUUID()
  keys.set(asked, key)
  const { maxCost } = readPlan(run)
  const { incoming } = asked.recording!
  // A tool call of an MCP server reaches no model.
  if (maxCost === undefined || isMcpAddress(incoming.wire.url))
    return void appendLine(run, { kind: 'ask', key, cost: 0 })
  const prices = new PriceTable(config.prices)
  const before = recorded.map(({ exchange }) => exchange.response.usage?.output_tokens ?? 0)
  const cost = highestCost(promptFor(incoming), incoming.wire.body, before, prices)
  if (cost === undefined) return unknownPrice(promptFor(incoming).model, maxCost)
  appendLine(run, { kind: 'ask', key, cost })
  const spent = spentBefore(readLines(run), key)
  if (spent + cost <= maxCost) return undefined
  appendLine(run, { kind: 'refused', key, cassette: session.test.cassette })
  return tooMuch(maxCost, spent, cost, isDiscarded(run), recorded.length > 0)
}

/** Reports the usage of a call when its answer has arrived. */
export function reportUsage({ config, test }: Session, asked: AskedRequest): void {
  const key = keys.get(asked)
  const { incoming, response, durationMs, mocked } = asked.recording ?? {}
  if (!config.run || key === undefined || !incoming || !response) return
  const countable = {
    model: promptFor(incoming).model,
    usage: completionFor(response, incoming).usage,
    isFree: mocked === true || isFree({ request: incoming.wire, response }),
    durationMs,
  }
  const took = countExchange(countable, new PriceTable(config.prices))
  appendLine(config.run.folder, { kind: 'answer', key, took, cassette: test.cassette })
}

/**
 * @param isDiscarded whether the run discards its recordings, as a rehearsal does, so that none can continue it
 * @param hasCassette whether the test keeps an earlier recording, so that it is none of those that are missing
 */
function tooMuch(
  maxCost: number,
  spent: number,
  cost: number,
  isDiscarded: boolean,
  hasCassette: boolean,
): CassetteError {
  const message =
    `A call was not sent: it could pass the ${dollarsText(maxCost)} of --max-cost\n` +
    `${dollarsText(spent)} is spent or on its way, and this call may cost ${dollarsText(cost)}.\n`
  // The code `refused` names no command, and none records the answers of a rehearsal.
  if (isDiscarded)
    return new CassetteError('refused', `${message}Rehearse fewer tests, or raise --max-cost.`)
  return new CassetteError(
    'recording-refused',
    hasCassette
      ? `${message}The cassette is left as it was. Raise --max-cost, or record this test alone, without a limit:`
      : `${message}The answers paid for are kept. To record the missing ones:\n` +
          `  npx vitest-cassette record --missing --max-cost ${maxCost}\n` +
          'Or this test alone, without a limit:',
  )
}

function unknownPrice(model: string | undefined, maxCost: number): CassetteError {
  const what = model === undefined ? 'a call that names no model' : `the model ${model}`
  return new CassetteError(
    'recording-refused',
    `A call was not sent: the price of ${what} is unknown, so --max-cost ${maxCost} cannot be kept\n` +
      `Say its price in the config: cassettes({ prices: { '${model ?? 'model'}': { input: 1, output: 2 } } }), in US dollars for a million tokens.\n` +
      'Or record this test alone, without a limit:',
  )
}

/** The progress of a run, and its usage so far. */
export interface Spent {
  /** Calls that were answered. */
  took: UsageTotal
  /** Calls that were sent, answered or not. */
  calls: number
  /** Calls that were not sent, since they could have cost too much. */
  refused: number
  /** The cassettes of the refused calls. */
  refusedBy: string[]
  /** Tests that have ended. */
  tests: number
  failed: number
  cassettes: TestCassetteLine[]
}

/** Adds up the lines of the processes of a run. */
export function sumUp(lines: readonly RunLine[]): Spent {
  const refused = lines.filter((line) => line.kind === 'refused')
  const refusedKeys = new Set(refused.map(({ key }) => key))
  const asked = lines.filter((line) => line.kind === 'ask')
  const tests = lines.filter((line) => line.kind === 'test')
  const moves = lines.filter((line) => line.kind === 'moved').map(({ cassettes }) => cassettes)
  const moved: Record<string, string> = Object.assign({}, ...moves)
  return {
    took: sumUsage(answerLines(lines).map(({ took }) => took)),
    calls: asked.filter(({ key }) => !refusedKeys.has(key)).length,
    refused: refusedKeys.size,
    refusedBy: [...new Set(refused.map(({ cassette }) => cassette))],
    tests: tests.length,
    failed: tests.filter(({ passed }) => !passed).length,
    cassettes: tests.flatMap(({ cassette }) =>
      cassette ? { ...cassette, path: moved[cassette.path] ?? cassette.path } : [],
    ),
  }
}

/** The last answer line of each call. */
export function answerLines(lines: readonly RunLine[]): Array<RunLine & { kind: 'answer' }> {
  const answers = lines.filter((line) => line.kind === 'answer')
  return [...new Map(answers.map((line) => [line.key, line])).values()]
}

/**
 * The cost of the calls before a call, in US dollars. Calls that are not answered yet count with their estimated cost.
 * Each process finds the calls in the same order, so that no two of them spend the same money.
 */
export function spentBefore(lines: readonly RunLine[], key: string): number {
  const costs = new Map<string, number>()
  for (const line of lines) {
    if (line.kind !== 'ask') continue
    if (line.key === key) break
    costs.set(line.key, line.cost)
  }
  for (const line of lines) {
    if (line.kind === 'refused') costs.delete(line.key)
    // An answer without token counts keeps its estimated cost.
    if (line.kind === 'answer' && costs.has(line.key) && line.took.unpriced === 0)
      costs.set(line.key, line.took.cost)
  }
  return [...costs.values()].reduce((sum, cost) => sum + cost, 0)
}

/** The assumed minimum of characters in a token. */
const CHARS_PER_TOKEN = 3

/** The assumed maximum of tokens of a picture or another file. */
const FILE_TOKENS = 2_000

/** The assumed tokens of an answer, unless the request limits them or recorded answers are longer than half of that. */
const USUAL_OUTPUT = 1_000

const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens']

/**
 * The estimated maximum cost of a call; `undefined` where its model has no price.
 *
 * @param before the output tokens of recorded answers
 */
export function highestCost(
  { model, parameters }: Pick<Prompt, 'model' | 'parameters'>,
  body: Body,
  before: readonly number[],
  prices: PriceTable,
): number | undefined {
  const likely = Math.max(USUAL_OUTPUT, 2 * Math.max(0, ...before))
  const limit = LIMITS.map((name) => parameters[name]).find((value) => typeof value === 'number')
  const usage = {
    inputTokens: inputOf(body),
    outputTokens: Math.min(likely, limit === undefined ? Infinity : Number(limit)),
  }
  return costOf(model, usage, prices)
}

function inputOf(body: Body): number {
  const text = JSON.stringify(body)
  const files = text.match(/[A-Za-z0-9+/_-]{2000,}/g) ?? []
  const rest = files.reduce((length, file) => length - file.length, text.length)
  return Math.ceil(rest / CHARS_PER_TOKEN) + files.length * FILE_TOKENS
}
