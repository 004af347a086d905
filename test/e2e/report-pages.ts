import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { linkToCassette } from '../../src/report/data/report-link.ts'
import type { ReportProject } from '../report/report-project.ts'

/** A page of a report in a browser, and what it loaded and complained of. */
export interface OpenPage extends AsyncDisposable {
  page: Page
  /** The files of the report that were loaded, in order; an address that is none of them in full. */
  loaded: string[]
  problems: string[]
}

/** Opens a report from the disk, without a network. */
export async function openReport(
  browser: Browser,
  project: ReportProject,
  path?: string,
  options: BrowserContextOptions & { exchange?: string } = {},
): Promise<OpenPage> {
  const { exchange, ...how } = options
  const context = await browser.newContext({ offline: true, ...how })
  const page = await context.newPage()
  const folder = `${pathToFileURL(project.folder).href}/`
  const loaded: string[] = []
  const problems: string[] = []
  page.on('request', (request) => loaded.push(request.url().replace(folder, '').split('#')[0]!))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const file = pathToFileURL(join(project.folder, 'index.html')).href
  await page.goto(file + (path === undefined ? '' : linkToCassette(path, exchange)))
  await page.locator('h1').waitFor()
  return {
    page,
    loaded,
    problems,
    async [Symbol.asyncDispose]() {
      await context.close()
    },
  }
}
