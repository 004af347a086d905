import { layOutLine } from '../../text/printable.ts'
import { readJsonLines } from '../../json/json-lines.ts'
import type { ExitCode, Terminal } from '../terminal/command.ts'
import { nameConfig } from '../programs/run-vitest.ts'

/** The lines that the tests of a run have left in a file, by test. */
export function readByTest<Line extends { test: string }>(file: string): Map<string, Line> {
  // A test that is retried writes a line for each attempt; the last one counts.
  return new Map(readJsonLines<Line>(file).map((one) => [one.test, one]))
}

/**
 * Says that there is nothing to compare, and why that may be.
 *
 * @param args the options of Vitest
 */
export function nothingAsked({ cwd, warn }: Terminal, args: readonly string[]): ExitCode {
  warn(
    'No test asked a model, so nothing was compared.\n' +
      `If your tests do, add the plugin cassettes() to ${nameConfig(cwd, args)}.`,
  )
  return 1
}

/** Says where to write the rules for values that may differ. */
export function adviseRules(
  rules: Iterable<string>,
  { cwd, colors }: Terminal,
  args: readonly string[],
): string {
  return (
    `If that may be, write in cassettes({ … }) in ${nameConfig(cwd, args)}:\n` +
    `  ${colors.bold(`volatile: [${layOutLine([...new Set(rules)].join(', '))}]`)}\n`
  )
}
