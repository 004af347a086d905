import { relative, resolve, sep } from 'node:path'
import { countOf } from '../diff/render/count-of.ts'
import { layOutLine } from '../diff/render/harmless.ts'
import { CassetteError } from '../errors.ts'
import { parseOptions } from '../config/parse-options.ts'
import { resolveConfig, type ResolvedConfig } from '../config/resolved-config.ts'
import type { Finding } from '../verify/check.ts'
import { verify, type Verification } from '../verify/verify.ts'
import { textOf, type Command, type OptionValues, type Terminal } from './command.ts'
import { annotate, isGitHub, summarize } from './github.ts'
import { openCassettes } from './source.ts'
import { writeJson } from './write-json.ts'

/** Verifies cassettes. */
export const verifyCommand: Command = {
  name: 'verify',
  usage: '[path…]',
  summary: 'check that cassettes are whole, unedited and safe to commit; for CI',
  options: {
    dir: { type: 'string' },
    json: { type: 'boolean' },
    'max-age': { type: 'string' },
    'max-failures': { type: 'string' },
    'retired-models': { type: 'string' },
    invalid: { type: 'string' },
    'allow-hosts': { type: 'string' },
  },
  explains: {
    dir: 'the folder of the cassettes (default: __recordings__)',
    json: 'write JSON',
    'max-age': 'the days after which a recording is no longer valid',
    'max-failures': 'the failures in a row, on this machine, that it may have',
    'retired-models': 'the models that it may not be of: gpt-4-0314,claude-2*',
    invalid: 'what a recording is that is no longer valid: warn (default) or fail',
    'allow-hosts': 'the hosts to which a location may lead: cdn.example.com,*.example.org',
  },
  async run(positionals, values, terminal) {
    const store = openCassettes(values, terminal)
    const entries = store.entries()
    if (entries.length === 0)
      throw new CassetteError(
        'invalid-command',
        `There is no folder ${store.display('')}.\nName the folder of the cassettes with --dir, or record one with: RECORD=1 npx vitest`,
      )
    const folder = resolve(terminal.cwd, store.display(''))
    const meant = positionals.map((path) =>
      relative(folder, resolve(terminal.cwd, path)).split(sep).join('/'),
    )
    for (const [index, path] of meant.entries())
      if (!entries.some((entry) => isBelow(entry.path, path)))
        throw new CassetteError(
          'invalid-command',
          `${positionals[index]} is not in ${store.display('')}.`,
        )
    const isMeant = (path: string): boolean =>
      meant.length === 0 || meant.some((one) => isBelow(path, one))
    const each = (paths: readonly string[]): Iterable<string> =>
      terminal.progress.over(paths, 'cassettes verified')
    const verification = await verify(store, terminal.cwd, isMeant, configOf(values), each)
    if (values.json === true) terminal.write(writeJson(verification) + '\n')
    else report(verification, terminal)
    return verification.findings.some(({ severity }) => severity === 'error') ? 1 : 0
  },
}

/** The options of the plugin of the same names; its config file is not read, and nothing in it is run. */
function configOf(values: OptionValues): ResolvedConfig {
  const numberOf = (name: string): number | string | undefined => {
    const text = textOf(values, name)
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : text
  }
  const given = {
    maxAge: numberOf('max-age'),
    maxFailures: numberOf('max-failures'),
    retiredModels: textOf(values, 'retired-models')?.split(','),
    invalid: textOf(values, 'invalid'),
    allowHosts: textOf(values, 'allow-hosts')?.split(','),
  }
  try {
    return resolveConfig(parseOptions(given), { ci: false, recordInCi: false })
  } catch (error) {
    if (!CassetteError.isInstance(error)) throw error
    const [, ...problems] = error.message.split('\n').slice(0, -1)
    throw new CassetteError(
      'invalid-command',
      `verify does not understand:\n${problems.join('\n')}`,
    )
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

function report(verification: Verification, terminal: Terminal): void {
  const { findings } = verification
  const lines = findings.map((finding) => `${writeFinding(finding, terminal)}\n`)
  terminal.write(`${lines.join('')}${conclude(verification)}\n`)
  if (!isGitHub(terminal)) return
  terminal.write(findings.map((finding) => annotate(finding, terminal)).join(''))
  summarize(verification, conclude(verification), terminal)
}

/** One line for one finding. */
function writeFinding(finding: Finding, { colors }: Terminal): string {
  const { check, severity, file, line, place, problem } = finding
  const paint = severity === 'error' ? colors.red : colors.yellow
  const where = line === undefined ? file : `${file}:${line}`
  const what = place === undefined ? problem : `${place}: ${problem}`
  return `${layOutLine(where)}  ${paint(check)}  ${layOutLine(what.replaceAll('\n', ' '))}`
}

function conclude({ cassettes, exchanges, blobs, findings }: Verification): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  const found = [
    ...(errors > 0 ? [countOf(errors, 'problem')] : []),
    ...(warnings > 0 ? [countOf(warnings, 'warning')] : []),
  ]
  const looked = [cassettes, exchanges, blobs]
    .map((count, index) => countOf(count, ['cassette', 'exchange', 'blob'][index]!))
    .join(', ')
  return `${looked}: ${found.length > 0 ? found.join(', ') : 'no problem'}`
}
