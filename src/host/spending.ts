import { randomUUID } from 'node:crypto'
import { PriceTable } from '../conversation/cost/cost.ts'
import { dollarsText } from '../conversation/cost/cost-text.ts'
import { countExchange, isFree } from '../conversation/cost/usage.ts'
import type { AskedRequest } from '../engine/asked.ts'
import { dialectFor, promptFor } from '../engine/reading/read-prompt.ts'
import type { Session } from '../engine/session.ts'
import { CassetteError } from '../errors.ts'
import { highestCost } from './highest-cost.ts'
import { isMcpAddress } from '../wire/mcp-address.ts'
import { appendLine, isDiscarded, readLines, readPlan } from './run-channel.ts'
import { spentBefore } from './spent.ts'

/** The keys of calls, unique among all processes of a run. */
const keys = new WeakMap<AskedRequest, string>()

/**
 * Reserves the estimated cost of a call in the budget of `vitest-cassette record`, before the call is sent.
 *
 * @returns the reason where the call must not be sent
 */
export function reserve(session: Session, asked: AskedRequest): CassetteError | undefined {
  const { config, recorded } = session
  const run = config.recordRun
  if (run === undefined) return undefined
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
  const { incoming, response, durationMs } = asked.recording ?? {}
  if (config.recordRun === undefined || key === undefined || !incoming || !response) return
  const countable = {
    model: promptFor(incoming).model,
    usage: dialectFor(incoming).readCompletion(response).usage,
    isFree: isFree({ request: incoming.wire, response }),
    durationMs,
  }
  const took = countExchange(countable, new PriceTable(config.prices))
  appendLine(config.recordRun, { kind: 'answer', key, took, cassette: test.cassette })
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
          '  npx vitest-cassette record --missing\n' +
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
