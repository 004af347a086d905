import type { MatcherState } from 'vitest'
import { countOf } from '../../../text/count-of.ts'
import { layOutLine } from '../../../text/printable.ts'
import { RunningCassette, type TestCassette } from './test-cassette.ts'

export interface MatcherResult {
  pass: boolean
  message: () => string
}

/** A result whose message has these blocks, with a blank line between them. */
export function resultOf(pass: boolean, blocks: () => string[]): MatcherResult {
  return { pass, message: () => blocks().join('\n\n') }
}

/** The lines shown of a longer list. */
const MAX_LINES = 12

/** Longer values are cut in a list; the diff shows them whole. */
const MAX_VALUE = 200

/**
 * The cassette that a matcher was given.
 *
 * @throws TypeError for anything else
 */
export function cassetteOf(received: unknown, matcher: string): TestCassette {
  if (RunningCassette.isInstance(received)) return received
  throw new TypeError(
    `${matcher}() looks at the cassette of a test: expect(cassette).${matcher}(…), with the cassette of the test's ` +
      'context or of useCassette().',
  )
}

/** A value on one line, asymmetric matchers by their names. */
export function onOneLine(value: unknown, utils: MatcherState['utils']): string {
  return cut(layOutLine(utils.stringify(value, 10, { min: true })))
}

/** A text on one line, in quotes. */
export function quoteText(text: string): string {
  return cut(`"${layOutLine(text)}"`)
}

/** Lines under each other, indented; the last says how many are left out. */
export function listOf(lines: string[]): string {
  const left = lines.length - MAX_LINES
  const shown = left > 1 ? [...lines.slice(0, MAX_LINES), `… ${countOf(left, 'more line')}`] : lines
  return shown.map((line) => `  ${line}`).join('\n')
}

function cut(line: string): string {
  return line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE)}…` : line
}
