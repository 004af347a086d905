import { resolve } from 'node:path'
import { displayPath } from '../cassette/disk/outside-git.ts'
import { ownVersion } from '../config/own-version.ts'
import { REPORT_FOLDER } from '../config/report-folder.ts'
import { countOf } from '../diff/render/count-of.ts'
import { layOutLine } from '../diff/render/printable.ts'
import { CassetteError } from '../errors.ts'
import { sourcesIn } from '../report/read-cassettes.ts'
import { writeReport } from '../report/write-report.ts'
import { DIR_EXPLAINS, DIR_OPTION, openFolders } from './sources/cassette-folders.ts'
import { openPrices } from './stats.ts'
import { textOf, type Command } from './terminal/command.ts'

/** Writes all cassettes as a page. */
export const report: Command = {
  name: 'report',
  usage: '',
  summary: 'write all conversations as a page for a browser, without a server',
  options: { ...DIR_OPTION, out: { type: 'string' }, prices: { type: 'string' } },
  explains: {
    out: `the folder to write (default: ${REPORT_FOLDER})`,
    prices: 'a JSON file with prices of your own: { "model": { "input": 1, "output": 2 } }',
    ...DIR_EXPLAINS,
  },
  async run(positionals, values, terminal) {
    const { cwd, progress, colors } = terminal
    if (positionals.length > 0)
      throw new CassetteError(
        'invalid-command',
        `A report has all cassettes, and takes no ${positionals.map(layOutLine).join(' ')}. Name their folder with --dir, and that of the report with --out.`,
      )
    const folders = openFolders(values, terminal)
    const sources = folders.flatMap(({ store, project }) =>
      sourcesIn(store, folders.length > 1 ? project : undefined),
    )
    const { page, cassettes, unread } = await writeReport(
      resolve(cwd, textOf(values, 'out') ?? REPORT_FOLDER),
      {
        sources: progress.over(sources, 'cassettes read'),
        prices: openPrices(values, terminal),
        version: ownVersion(),
        now: new Date(),
      },
    )
    for (const { problem } of unread) terminal.warn(colors.yellow(layOutLine(problem)))
    terminal.write(`${layOutLine(displayPath(cwd, page))}  ${countOf(cassettes, 'cassette')}\n`)
    return unread.length > 0 ? 1 : 0
  },
}
