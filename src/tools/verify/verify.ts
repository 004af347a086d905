import { resolve } from 'node:path'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { parseOptions } from '../../config/parse-options.ts'
import { resolveConfig, type ResolvedConfig } from '../../config/resolved-config.ts'
import type { Finding } from './check.ts'
import { verify, type Verification } from './verify-cassettes.ts'
import { DIR_OPTION, openFolders, type CassetteFolder } from '../sources/cassette-folders.ts'
import type { Command, Terminal } from '../terminal/command.ts'
import { isGitHub } from '../terminal/github.ts'
import { printableJson } from '../terminal/write-json.ts'
import {
  flag,
  invalidCommand,
  takesText,
  textOption,
  understand,
  type OptionValues,
} from '../terminal/options.ts'
import { annotate, findingPlace, problemIn, summarize } from './annotate.ts'

/** Verifies cassettes. */
export const verifyCommand: Command = {
  name: 'verify',
  usage: '[path…]',
  summary: 'check that cassettes are whole, unedited and safe to commit; for CI',
  options: {
    ...DIR_OPTION,
    json: flag('write JSON'),
    'max-age': takesText('the days after which a recording is no longer valid'),
    'max-failures': takesText('the failures in a row, on this machine, that it may have'),
    'retired-models': takesText('the models that it may not be of: gpt-4-0314,claude-2*'),
    invalid: takesText('for a recording that is no longer valid: warn (default) or fail'),
    'allow-hosts': takesText(
      'the hosts to which a location may lead: cdn.example.com,*.example.org',
    ),
  },
  async run(positionals, values, terminal) {
    const folders = openFolders(values, terminal)
    const choices = folders.map((folder) => chooseIn(folder, positionals, terminal))
    refuseUnknown(choices, positionals)
    const config = configOf(values)
    const each = (paths: readonly string[]): Iterable<string> =>
      terminal.progress.over(paths, 'cassettes verified')
    const verification: Verification = { cassettes: 0, exchanges: 0, blobs: 0, findings: [] }
    for (const { folder, isMeant, meant } of choices) {
      if (positionals.length > 0 && meant.length === 0) continue
      const one = await verify(folder.store, folder.root, isMeant, config, each)
      for (const count of ['cassettes', 'exchanges', 'blobs'] as const)
        verification[count] += one[count]
      verification.findings.push(...one.findings)
    }
    if (values.json === true) terminal.write(printableJson(verification) + '\n')
    else report(verification, terminal)
    return verification.findings.some(({ severity }) => severity === 'error') ? 1 : 0
  },
}

/** The part of a folder to verify. */
interface Choice {
  folder: CassetteFolder
  isEmpty: boolean
  /** The paths of the command line that exist in the folder, with their index. */
  meant: Array<{ index: number; path: string }>
  isMeant(path: string): boolean
}

function chooseIn(
  folder: CassetteFolder,
  positionals: readonly string[],
  { cwd }: Terminal,
): Choice {
  const { store } = folder
  const entries = store.entries()
  const meant = positionals.flatMap((name, index) => {
    const path = store.pathTo(resolve(cwd, name))
    // A path above the folder means all of it.
    if (/^(?:\.\.\/?)+$/.test(path) && entries.length > 0) return [{ index, path: '' }]
    return entries.some((entry) => isBelow(entry.path, path)) ? [{ index, path }] : []
  })
  return {
    folder,
    isEmpty: entries.length === 0,
    meant,
    isMeant: (path) => positionals.length === 0 || meant.some((one) => isBelow(path, one.path)),
  }
}

/** @throws CassetteError `invalid-command` if there are no entries at all, or none that match a path. */
function refuseUnknown(choices: readonly Choice[], positionals: readonly string[]): void {
  const shown = choices.map(({ folder }) => folder.store.display(''))
  if (choices.every(({ isEmpty }) => isEmpty))
    throw invalidCommand(
      `There is no folder ${shown.join(', ')}.\nName the folder of the cassettes with --dir, or record one with: RECORD=1 npx vitest`,
    )
  for (const [index, name] of positionals.entries())
    if (!choices.some(({ meant }) => meant.some((one) => one.index === index)))
      throw invalidCommand(`${name} is not in ${shown.join(', ')}.`)
}

/** The options as the plugin's options of the same names. Reads and runs no config file. */
function configOf(values: OptionValues): ResolvedConfig {
  const numberOf = (name: string): number | string | undefined => {
    const text = textOption(values, name)
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : text
  }
  const given = {
    maxAge: numberOf('max-age'),
    maxFailures: numberOf('max-failures'),
    retiredModels: textOption(values, 'retired-models')?.split(','),
    invalid: textOption(values, 'invalid'),
    allowHosts: textOption(values, 'allow-hosts')?.split(','),
  }
  const options = understand('verify', () => parseOptions(given))
  return resolveConfig(options, { ci: false, recordInCi: false })
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
  const { check, severity } = finding
  const paint = severity === 'error' ? colors.red : colors.yellow
  const problem = layOutLine(problemIn(finding).replaceAll('\n', ' '))
  return `${layOutLine(findingPlace(finding))}  ${paint(check)}  ${problem}`
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
