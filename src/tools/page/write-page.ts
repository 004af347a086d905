import { resolve } from 'node:path'
import { displayPath, REPORT_FOLDER } from '../../config/paths.ts'
import { layOutLine } from '../../text/printable.ts'
import { type PageRehearsal, type ReportSource, sourcesIn, writeReport } from './write-report.ts'
import { openPrices } from '../terminal/open-prices.ts'
import type { Terminal } from '../terminal/command.ts'
import { noCassette, openFolders, type CassetteFolder } from '../sources/cassette-folders.ts'
import { type OptionValues, takesPath } from '../terminal/options.ts'

/** The option `--html`. */
export const HTML_OPTION = {
  html: {
    ...takesPath('folder', `write all cassettes as pages (default folder: ${REPORT_FOLDER})`),
    alone: REPORT_FOLDER,
  },
}

/**
 * Writes all cassettes as a page.
 *
 * @param rehearsal the answers of a rehearsal, shown before the cassettes
 * @returns its path from the working directory, and whether a cassette could not be read; a warning names each
 * @throws CassetteError `invalid-command` where there is no cassette, or the folder holds something else.
 */
export async function writePage(
  folder: string,
  values: OptionValues,
  terminal: Terminal,
  rehearsal?: PageRehearsal,
): Promise<{ page: string; cassettes: number; isPart: boolean }> {
  const { cwd, progress, colors } = terminal
  const folders = openFolders(values, terminal)
  const sources = reportSources(folders)
  if (sources.length === 0) throw noCassette(values, terminal)
  const { page, cassettes, unread } = await writeReport(resolve(cwd, folder), {
    sources: progress.over(sources, 'cassettes read'),
    prices: openPrices(values, terminal),
    rehearsal,
  })
  for (const { problem } of unread) terminal.warn(colors.yellow(layOutLine(problem)))
  return { page: layOutLine(displayPath(cwd, page)), cassettes, isPart: unread.length > 0 }
}

/** The cassettes of all folders. They name their projects only if there are several folders. */
export function reportSources(folders: readonly CassetteFolder[]): ReportSource[] {
  return folders.flatMap(({ store, project }) =>
    sourcesIn(store, folders.length > 1 ? project : undefined),
  )
}
