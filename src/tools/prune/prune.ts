import { relative } from 'node:path'
import type { OrphanReport } from '../../cassette/orphans.ts'
import { deleteLeftovers, findLeftovers, type Leftover } from '../../cassette/leftovers.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import {
  type Command,
  defineCommand,
  type ExitCode,
  isConfirmed,
  tableWidthOf,
  type Terminal,
  WIDTH_OPTION,
  YES_OPTION,
} from '../terminal/command.ts'
import { CONFIG, configWords, replayTests } from '../programs/run-vitest.ts'
import { tableOf, type ColumnOf } from '../terminal/table.ts'
import { flag, type OptionValues } from '../terminal/options.ts'
import { printJson } from '../terminal/write-json.ts'

const COLUMNS: Array<ColumnOf<Leftover & { name: string }>> = [
  { title: '', text: ({ name }) => name },
  { title: '', align: 'right', text: ({ bytes }) => `${(bytes / 1000).toFixed(1)} kB` },
  { title: '', text: ({ id = 'no cassette refers to it' }) => id },
]

/** Deletes cassettes and blobs that no test uses any more. Only a run of all tests knows every test. */
export const prune: Command = defineCommand({
  name: 'prune',
  usage: '[-- <options of Vitest>]',
  summary: 'run all tests in replay, show the cassettes and blobs that none uses, and delete them',
  options: {
    ...YES_OPTION,
    'dry-run': flag('list the unused files, and delete nothing'),
    config: CONFIG,
    json: flag('write JSON'),
    ...WIDTH_OPTION,
  },
  async run(positionals, values, terminal) {
    terminal.warn(terminal.colors.dim('Running all tests, in replay …'))
    const args = [...configWords(values), ...positionals]
    const { output, lines: told } = await replayTests('prune', args, terminal)
    const report = told.find((line) => line.kind === 'orphans')?.report
    if (!report || report.silence !== undefined) {
      if (values.json) printJson({ unused: [], deleted: false }, terminal)
      return explain(report, output, terminal)
    }
    const folders = report.folders.map((folder) => ({
      folder,
      leftovers: findLeftovers(folder, (paths) => terminal.progress.over(paths, 'cassettes read')),
    }))
    const leftovers = folders.flatMap((folder) => folder.leftovers)
    const unused = leftovers.map(({ file, bytes, id }) => ({
      file: relative(terminal.cwd, file),
      bytes,
      test: id,
    }))
    const tell = (deleted: boolean): void => printJson({ unused, deleted }, terminal)
    if (leftovers.length === 0) {
      if (values.json) tell(false)
      else terminal.write('Every cassette has a test.\n')
      return 0
    }
    const rows = leftovers.map((one) => ({ ...one, name: relative(terminal.cwd, one.file) }))
    const [, ...lines] = tableOf(COLUMNS, rows, tableWidthOf(terminal, values))
    if (!values.json) terminal.write(`${lines.join('\n')}\n`)
    const files = countOf(leftovers.length, 'file')
    const isMeant =
      !values['dry-run'] && (await isConfirmed('Delete', files, values, silenced(values, terminal)))
    if (!isMeant) {
      if (values.json) tell(false)
      return values['dry-run'] ? 0 : 1
    }
    for (const { folder, leftovers } of folders)
      deleteLeftovers(folder, terminal.progress.over(leftovers, 'files deleted'))
    if (values.json) tell(true)
    else terminal.write(`Deleted ${files}.\n`)
    return 0
  },
})

/** A question would stand among the data. */
function silenced({ json }: OptionValues, terminal: Terminal): Terminal {
  if (!json) return terminal
  const { confirm: _, ...rest } = terminal
  return rest
}

/** Says why nothing is deleted. */
function explain(
  report: OrphanReport | undefined,
  output: string,
  { warn, colors }: Terminal,
): ExitCode {
  const reason = report
    ? `${layOutLine(report.silence!)}, so that it is not known which tests there are`
    : 'no project of this run has the plugin cassettes()'
  warn(output)
  warn(colors.red(`Nothing was deleted: ${reason}.`))
  return 1
}
