import { join, resolve } from 'node:path'
import { parseOptions } from '../../config/parse-options.ts'
import { pathFrom } from '../../config/paths.ts'
import { resolveConfig, type ResolvedConfig } from '../../config/resolved-config.ts'
import { defined } from '../../providers/fields.ts'
import { countOf } from '../../text/count-of.ts'
import { escapeMarkdown } from '../../text/markdown-text.ts'
import { unmergedIn } from '../../real/git.ts'
import { layOutLine, printable } from '../../text/printable.ts'
import {
  type CassetteFolder,
  DIR_OPTION,
  noCassette,
  openFolders,
} from '../sources/cassette-folders.ts'
import { type Command, defineCommand, type Terminal } from '../terminal/command.ts'
import { addToSummary, isGitHub } from '../terminal/github.ts'
import {
  flag,
  invalidCommand,
  type OptionValues,
  takesText,
  takesTexts,
  understand,
  type ValuesOf,
} from '../terminal/options.ts'
import { printJson } from '../terminal/write-json.ts'
import { RunCalls } from '../sources/slow-calls.ts'
import { fixLayouts } from './layout.ts'
import { type Finding, type Verification, verify } from './verify-cassettes.ts'
import { markdownTable } from '../terminal/table.ts'

const OPTIONS = {
  ...DIR_OPTION,
  json: flag('write JSON'),
  'fix-layout': flag('restore the layout of recordings that a formatter changed'),
  'max-age': takesText('the days after which a recording is no longer valid'),
  'max-failures': takesText('the failures in a row, on this machine, that it may have'),
  'retired-models': takesText('the models that it may not be of: gpt-4-0314,claude-2*'),
  'fail-on': {
    ...takesTexts(
      'a problem instead of a warning: invalid, for a recording that is no longer valid; kept, for an answer that was kept for a changed prompt',
    ),
    takes: ['invalid', 'kept'],
  },
  'allow-hosts': takesText('the hosts to which a location may lead: cdn.example.com,*.example.org'),
}

export const verifyCommand: Command = defineCommand({
  name: 'verify',
  usage: '[path…]',
  summary: 'check that cassettes are whole, unedited and safe to commit; for CI',
  options: OPTIONS,
  async run(positionals, values, terminal) {
    const failsForKept = values['fail-on']?.includes('kept') === true
    const folders = openFolders(values, terminal)
    const choices = folders.map((folder) => chooseIn(folder, positionals, terminal))
    refuseUnknown(choices, positionals, values, terminal)
    const config = configOf(values)
    const each = (paths: readonly string[]): Iterable<string> =>
      terminal.progress.over(paths, 'cassettes verified')
    const verification: Verification = { cassettes: 0, exchanges: 0, blobs: 0, findings: [] }
    const calls = new RunCalls(terminal)
    let fixed = 0
    for (const { folder, isMeant, words } of choices) {
      if (positionals.length > 0 && words.length === 0) continue
      if (values['fix-layout']) fixed += await fixLayouts(folder.store, folder.root, isMeant)
      const one = await verify(folder.store, folder.root, isMeant, config, each, calls)
      for (const count of ['cassettes', 'exchanges', 'blobs'] as const)
        verification[count] += one[count]
      for (const finding of one.findings)
        if (failsForKept && finding.check === 'kept-answers') finding.severity = 'error'
      verification.findings.push(...one.findings, ...conflictsIn(folder, isMeant, terminal))
    }
    if (fixed > 0 && !values.json)
      terminal.write(`Restored the layout of ${countOf(fixed, 'cassette')}.\n`)
    const { lastRun } = calls
    if (values.json) printJson({ ...verification, ...defined({ lastRun }) }, terminal)
    else report(verification, terminal)
    if (!values.json && calls.canMend) terminal.write(`${calls.tell(terminal).join('\n')}\n`)
    return verification.findings.some(({ severity }) => severity === 'error') ? 1 : 0
  },
})

/** The cassettes that git has in conflict: nothing in one of them tells that it is one of two. */
function conflictsIn(
  { store }: CassetteFolder,
  isMeant: (path: string) => boolean,
  { cwd, env }: Terminal,
): Finding[] {
  const unmerged = unmergedIn(cwd, env)
  const paths = unmerged.size === 0 ? [] : store.list().filter(isMeant)
  return paths
    .map((path) => store.display(path))
    .filter((file) => unmerged.has(file))
    .map((file) => ({
      check: 'conflict',
      severity: 'error',
      file,
      problem:
        'Git has not merged it, and the folder holds one side alone. To choose a side: npx vitest-cassette resolve',
    }))
}

/** The part of a folder to verify. */
interface Choice {
  folder: CassetteFolder
  isEmpty: boolean
  /** The words of the command line that name something in the folder. */
  words: string[]
  isMeant(path: string): boolean
}

function chooseIn(folder: CassetteFolder, words: readonly string[], { cwd }: Terminal): Choice {
  const { store } = folder
  const entries = store.entries()
  const named = words.flatMap((word) => {
    const path = store.pathTo(resolve(cwd, word))
    // A path above the folder means all of it.
    const isAbove = /^(?:\.\.\/?)+$/.test(path) && entries.length > 0
    const isHere = isAbove || entries.some((entry) => isBelow(entry.path, path))
    return isHere ? [{ word, path: isAbove ? '' : path }] : []
  })
  return {
    folder,
    isEmpty: entries.length === 0,
    words: named.map(({ word }) => word),
    isMeant: (path) => words.length === 0 || named.some((one) => isBelow(path, one.path)),
  }
}

/** @throws CassetteError `invalid-command` if there are no entries at all, or none that match a path. */
function refuseUnknown(
  choices: readonly Choice[],
  words: readonly string[],
  values: OptionValues,
  terminal: Terminal,
): void {
  if (choices.every(({ isEmpty }) => isEmpty)) throw noCassette(values, terminal)
  const shown = choices.map(({ folder }) => folder.store.display('')).join(', ')
  const unknown = words.find((word) => !choices.some((choice) => choice.words.includes(word)))
  if (unknown !== undefined) throw invalidCommand(`${unknown} is not in ${shown}.`)
}

/** The options as the plugin's options of the same names. Reads and runs no config file. */
function configOf(values: ValuesOf<typeof OPTIONS>): ResolvedConfig {
  const numberIn = (text: string | undefined): number | string | undefined =>
    text !== undefined && /^\d+$/.test(text) ? Number(text) : text
  const given = {
    maxAge: numberIn(values['max-age']),
    maxFailures: numberIn(values['max-failures']),
    retiredModels: values['retired-models']?.split(','),
    invalid: values['fail-on']?.includes('invalid') ? 'fail' : undefined,
    allowHosts: values['allow-hosts']?.split(','),
  }
  const options = understand('verify', () => parseOptions(given))
  return resolveConfig(options, { ci: false, recordInCi: false })
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

function report(verification: Verification, terminal: Terminal): void {
  const { findings } = verification
  const conclusion = conclude(verification)
  const lines = findings.map((finding) => `${writeFinding(finding, terminal)}\n`)
  terminal.write(`${lines.join('')}${conclusion}\n`)
  if (!isGitHub(terminal)) return
  terminal.write(findings.map((finding) => annotate(finding, terminal)).join(''))
  const rows = findings.map((one) => [findingPlace(one), one.check, problemIn(one)])
  const table = rows.length > 0 ? ['', ...markdownTable(COLUMNS, rows)] : []
  const summary = ['### vitest-cassette verify', '', escapeMarkdown(conclusion), ...table, '', '']
  addToSummary(() => summary.join('\n'), terminal)
}

const COLUMNS = ['file', 'check', 'problem'].map((title) => ({ title }))

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
  const looked = `${countOf(cassettes, 'cassette')}, ${countOf(exchanges, 'exchange')}, ${countOf(blobs, 'blob')}`
  return `${looked}: ${found.length > 0 ? found.join(', ') : 'no problem'}`
}

/** A finding as the workflow command that shows it beside its line in a pull request. */
function annotate(finding: Finding, terminal: Terminal): string {
  const { check, severity, line } = finding
  const properties = defined({
    file: fromRepository(finding.file, terminal),
    line: line?.toString(),
    title: `vitest-cassette verify: ${check}`,
  })
  const list = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeProperty(value!)}`,
  )
  return `::${severity} ${list.join(',')}::${escapeData(problemIn(finding))}\n`
}

function findingPlace({ file, line }: Finding): string {
  return line === undefined ? file : `${file}:${line}`
}

function problemIn({ place, problem }: Finding): string {
  return place === undefined ? problem : `${place}: ${problem}`
}

/** The path of a file from the root of the repository, as annotations need it. The project can lie below the root. */
function fromRepository(file: string, { cwd, env }: Terminal): string {
  if (!env.GITHUB_WORKSPACE) return file
  return pathFrom(env.GITHUB_WORKSPACE, join(cwd, file))
}

function escapeData(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
