import type { RunLine, TestCassetteLine } from '../../attempt/run-channel.ts'
import { sumUp } from '../../attempt/spending.ts'
import { PROVIDERS } from '../../providers/catalogue.ts'
import { providerOf } from '../../providers/providers.ts'
import { summaryRows } from '../../runners/run-watchers.ts'
import { countOf } from '../../text/count-of.ts'
import { printable } from '../../text/printable.ts'
import type { Terminal } from '../terminal/command.ts'
import type { PreparedRun } from './choose-tests.ts'

/** More are counted. */
const MOST_SHOWN = 10

/**
 * Names what a run was to record and did not, and what failed in the run before it. Another run of Vitest would say it;
 * this one was of the chosen tests alone. Names the keys that were refused, and those that are not set.
 *
 * @param known what is known before the run, with the file from which each variable comes that is not in the environment
 * @returns whether nothing is left
 */
export function printLeft(
  { missing = [], failed = [], readFrom }: PreparedRun,
  lines: readonly RunLine[],
  { env, colors, write }: Pick<Terminal, 'env' | 'colors' | 'write'>,
): boolean {
  const told = sumUp(lines).cassettes
  const recorded = new Set(told.flatMap(({ path, recorded }) => (recorded > 0 ? path : [])))
  const unrecorded = missing.filter(({ path }) => !recorded.has(path))
  // A test that failed has said why.
  const silent = unrecorded.filter(({ path, title }) => title && !hasFailed(lines, path))
  const names = (some: readonly string[]): string => {
    const all = [...new Set(some)]
    const shown = all.slice(0, MOST_SHOWN).map((name) => `  ${printable(name)}\n`)
    const left = all.length - MOST_SHOWN
    return shown.join('') + (left > 0 ? `  and ${left} more\n` : '')
  }
  if (silent.length > 0) {
    const what = countOf(silent.length, 'test that missed', 'tests that missed')
    write(
      colors.yellow(`Not recorded: ${what}, and passed without a call of a provider.`) +
        `\n${names(silent.map(({ title }) => title!))}`,
    )
  }
  const keys = keysMissing(unrecorded, env)
  const rows = [
    ...[...new Set(told.flatMap(({ refused }) => refused ?? []))].flatMap((refused) => {
      const [name = ''] = refused.split(' ')
      const source = readFrom[name] ?? 'the environment, which wins over .env'
      const isSet = Boolean(env[name])
      return [
        colors.yellow(`The provider refused ${printable(refused)}.`),
        ...(isSet ? [`Its value comes from ${source}.`] : []),
      ]
    }),
    ...(keys.length > 0
      ? [
          colors.yellow(
            `Recording asks the provider itself, which takes a real key: set ${keys.join(' or ')}.`,
          ),
          'It is neither in the environment nor in .env. An application can swallow the error of its SDK.',
        ]
      : []),
  ]
  write(summaryRows('Keys', rows, colors))
  if (failed.length > 0)
    write(
      colors.yellow(
        `Not recorded either: ${countOf(failed.length, 'failure')} for another reason.`,
      ) + `\n${names(failed.map(({ title, why }) => `${title}: ${why}`))}`,
    )
  return silent.length + failed.length === 0
}

function hasFailed(lines: readonly RunLine[], path: string): boolean {
  return lines.some((line) => line.kind === 'test' && !line.passed && line.cassette?.path === path)
}

/** The variables of which one has to be set to ask what missed, where none is; each provider once. */
function keysMissing(
  unrecorded: readonly TestCassetteLine[],
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const addresses = unrecorded.flatMap(({ urls = [] }) => urls)
  const keys = addresses.map(keysOf).filter((names) => !names.some((name) => env[name]))
  return [...new Set(keys.flatMap(([first]) => first ?? []))]
}

/** The variables that can hold the key for an address. A gateway has those of the provider whose paths it has. */
function keysOf(address: string): readonly string[] {
  const url = URL.parse(address)
  if (!url) return []
  const speaks = Object.keys(PROVIDERS).find((name) =>
    Object.values(PROVIDERS[name]!.paths ?? {}).some((path) => path.test(url.pathname)),
  )
  const provider = providerOf(url) ?? speaks
  return (provider && PROVIDERS[provider]?.keys) || []
}
