import { layOutLine } from '../../text/printable.ts'
import type { RunLine } from '../../attempt/run-channel.ts'
import type { AskedInRun } from '../../explain/between-runs.ts'
import type { ExitCode, Terminal } from '../terminal/command.ts'
import { nameConfig } from '../programs/run-vitest.ts'

/** What the tests of a run have asked, by test. A test that is retried writes a line for each attempt. */
export function askedIn(lines: readonly RunLine[]): Map<string, AskedInRun> {
  const asked = lines.filter((line) => line.kind === 'asked')
  return new Map(asked.map((line) => [line.asked.test, line.asked]))
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
