import type { MatcherState } from 'vitest'
import {
  costText,
  dollarsText,
  explainUnknown,
  tokensText,
  type UsageTotal,
} from '../../../conversation/cost.ts'
import { countOf } from '../../../text/count-of.ts'
import type { TestCassette } from './test-cassette.ts'
import { cassetteOf, listOf, type MatcherResult } from './matcher-result.ts'

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

type Verdict = 'within' | 'beyond' | 'unknown'

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
    const figure = FIGURES[name](usage)
    const { known, isWhole, text } = figure
    const verdict: Verdict = known > limit ? 'beyond' : isWhole ? 'within' : 'unknown'
    return { verdict, line: `${text}, at most ${limitText(name, limit)}` }
  })
  const verdicts = judged.map(({ verdict }) => verdict)
  const isBeyond = verdicts.includes('beyond')
  const isUnknown = !isBeyond && verdicts.includes('unknown')
  // An unknown figure fails with `.not` and without it.
  const pass = isUnknown ? this.isNot : !isBeyond

  const message = (): string => {
    const headline = isUnknown
      ? 'Whether the test stayed within its limits is unknown'
      : isBeyond
        ? 'The test took more than it may'
        : 'The test took no more than this'
    const marks: Record<Verdict, string> = { within: '✓', beyond: '×', unknown: '?' }
    return [
      headline,
      judged.map(({ verdict, line }) => `  ${marks[verdict]} ${line}`).join('\n'),
      listOf(tableOf(cassette, usage)),
      ...(isUnknown ? [reasonsOf(usage).join('\n')] : []),
    ].join('\n\n')
  }
  return { pass, message }
}

function checkLimits(limits: Limits): Array<keyof Limits> {
  const known = Object.keys(FIGURES)
  const names = Object.keys(limits ?? {})
  const wrong = names.filter((name) => !known.includes(name) || !isLimit(limits[name as never]))
  if (names.length > 0 && wrong.length === 0) return names as Array<keyof Limits>
  throw new TypeError(
    `toHaveTakenAtMost() needs a number from 0 for one or more of ${known.join(', ')}` +
      `${wrong.length > 0 ? `; not ${wrong.join(', ')}` : ''}.`,
  )
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && value >= 0
}

function limitText(name: keyof Limits, limit: number): string {
  if (name === 'cents') return dollarsText(limit / 100)
  return limit.toLocaleString('en')
}

/** The usage of each call, and of all of them. */
function tableOf(cassette: TestCassette, total: UsageTotal): string[] {
  const rows = cassette.exchanges.map((exchange, index) => [
    `exchange-${index + 1}`,
    exchange.prompt.model ?? '',
    ...figuresOf(cassette.usage([exchange])),
  ])
  const cells = [...rows, ['all', '', ...figuresOf(total)]]
  const widths = cells[0]!.map((_, column) =>
    cells.reduce((width, row) => Math.max(width, row[column]!.length), 0),
  )
  return cells.map((row) =>
    row
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  '),
  )
}

function figuresOf(usage: UsageTotal): string[] {
  return [tokensText(usage), costText(usage) === 'unknown' ? 'unknown cost' : costText(usage)]
}

function reasonsOf(usage: UsageTotal): string[] {
  const tokens =
    usage.uncounted > 0
      ? [
          `${countOf(usage.uncounted, 'answer')} named no tokens. A streamed chat completion names them with ` +
            'stream_options: { include_usage: true }.',
        ]
      : []
  const prices =
    usage.unknownModels.length > 0 ? ['The option prices gives a model its price.'] : []
  return [...explainUnknown(usage), ...tokens, ...prices]
}
