import type { MatcherState } from 'vitest'
import {
  costText,
  dollarsText,
  adviseOnCounts,
  explainUnknown,
  tokensText,
  type UsageTotal,
} from '../../../conversation/cost.ts'
import { countOf } from '../../../text/count-of.ts'
import type { TestCassette } from './test-cassette.ts'
import { cassetteOf, listOf, resultOf, type MatcherResult } from './matcher-result.ts'

/** The most that a test may take. */
export interface Limits {
  /** Model calls, replayed or not. */
  calls?: number
  /** Input and output tokens together. */
  tokens?: number
  /** US cents. */
  cents?: number
}

/** A figure of at least `known`, and exactly `known` if it `isWhole`. */
interface Figure {
  known: number
  isWhole: boolean
  text: string
}

const FIGURES: Record<keyof Limits, (usage: UsageTotal) => Figure> = {
  calls: (usage) => ({
    known: usage.exchanges,
    isWhole: true,
    text: countOf(usage.exchanges, 'call'),
  }),
  tokens: (usage) => ({
    known: usage.inputTokens + usage.outputTokens,
    isWhole: usage.uncounted === 0,
    text: tokensText(usage),
  }),
  cents: (usage) => ({
    // Rounded, so that a floating-point error does not exceed a limit that the sum equals.
    known: Number((usage.cost * 100).toPrecision(12)),
    isWhole: usage.unpriced === 0,
    text: costText(usage) === 'unknown' ? 'an unknown cost' : costText(usage),
  }),
}

/** The mark of a line of the message, and the headline where it is the worst. */
const VERDICTS = {
  within: { mark: '✓', headline: 'The test took no more than this' },
  unknown: { mark: '?', headline: 'Whether the test stayed within its limits is unknown' },
  beyond: { mark: '×', headline: 'The test took more than it may' },
}

type Verdict = keyof typeof VERDICTS

/** Asserts that the test took at most so many calls, tokens, cents. An unknown figure never counts as zero. */
export function toHaveTakenAtMost(
  this: MatcherState,
  received: unknown,
  limits: Limits,
): MatcherResult {
  const cassette = cassetteOf(received, 'toHaveTakenAtMost')
  const names = checkLimits(limits)
  const usage = cassette.usage()
  const judged = names.map((name) => {
    const limit = limits[name]!
    const { known, isWhole, text } = FIGURES[name](usage)
    const most = name === 'cents' ? dollarsText(limit / 100) : limit.toLocaleString('en')
    const verdict: Verdict = known > limit ? 'beyond' : isWhole ? 'within' : 'unknown'
    return {
      verdict,
      line: `  ${VERDICTS[verdict].mark} ${text}, at most ${most}`,
    }
  })
  const found = new Set(judged.map(({ verdict }) => verdict))
  const worst = (['beyond', 'unknown', 'within'] as const).find((one) => found.has(one))!
  const isUnknown = worst === 'unknown'
  // An unknown figure fails with `.not` and without it.
  return resultOf(isUnknown ? this.isNot : worst === 'within', () => [
    VERDICTS[worst].headline,
    judged.map(({ line }) => line).join('\n'),
    listOf(tableOf(cassette, usage)),
    ...(isUnknown ? [reasonsOf(usage).join('\n')] : []),
  ])
}

function checkLimits(limits: Limits): Array<keyof Limits> {
  const known = Object.keys(FIGURES)
  const names = Object.keys(limits ?? {})
  const isLimit = (value: unknown): boolean => typeof value === 'number' && value >= 0
  const wrong = names.filter((name) => !known.includes(name) || !isLimit(limits[name as never]))
  if (names.length > 0 && wrong.length === 0) return names as Array<keyof Limits>
  throw new TypeError(
    `toHaveTakenAtMost() needs a number from 0 for one or more of ${known.join(', ')}` +
      `${wrong.length > 0 ? `; not ${wrong.join(', ')}` : ''}.`,
  )
}

/** The usage of each call, and of all of them. */
function tableOf(cassette: TestCassette, total: UsageTotal): string[] {
  const rows = cassette.exchanges.map((exchange, index) => [
    `exchange-${index + 1}`,
    exchange.prompt.model ?? '',
    ...figuresOf(cassette.usage([exchange])),
  ])
  const cells = [...rows, ['all', '', ...figuresOf(total)]]
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const pad = (cell: string, column: number): string =>
    column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
  return cells.map((row) => row.map(pad).join('  '))
}

function figuresOf(usage: UsageTotal): string[] {
  return [tokensText(usage), costText(usage) === 'unknown' ? 'unknown cost' : costText(usage)]
}

function reasonsOf(usage: UsageTotal): string[] {
  const { uncounted, unknownModels } = usage
  return [
    ...explainUnknown(usage),
    ...(uncounted > 0 ? [`${countOf(uncounted, 'answer')} named no tokens.`] : []),
    ...adviseOnCounts(usage),
    ...(unknownModels.length > 0 ? ['The option prices gives a model its price.'] : []),
  ]
}
