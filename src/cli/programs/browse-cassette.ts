import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CACHE_FOLDER } from '../../config/folders.ts'
import { ownVersion } from '../../config/own-version.ts'
import { PriceTable } from '../../conversation/cost/cost.ts'
import { linkToCassette } from '../../report/data/report-link.ts'
import { writeReport } from '../../report/write-report.ts'
import type { CassetteFolder } from '../sources/cassette-folders.ts'
import { reportSources } from '../sources/write-page.ts'
import { openInBrowser } from './browser.ts'
import type { Terminal } from '../terminal/command.ts'

/** Shows a cassette in a browser, on a page that is written outside git, and prints the address of the page. */
export async function browseCassette(
  name: string,
  folders: readonly CassetteFolder[],
  { cwd, env, write, progress }: Terminal,
): Promise<void> {
  const { page } = await writeReport(resolve(cwd, CACHE_FOLDER, 'review'), {
    sources: progress.over(reportSources(folders), 'cassettes read'),
    prices: new PriceTable(),
    version: ownVersion(),
    now: new Date(),
  })
  const url = pathToFileURL(page).href + linkToCassette(name)
  const isOpen = await openInBrowser(url, env)
  write(isOpen ? `Opened ${url}\n` : `No browser opens here. The page is ${url}\n`)
}
