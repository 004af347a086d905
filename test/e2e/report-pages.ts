import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { linkToCassette } from '../../src/tools/page/data/report-link.ts'
import { screenshot } from '../engine/screens.ts'
import { cassetteOf, ReportProject, sourceOf, TURN } from '../tools/page/report-project.ts'

export const MOONS = '__recordings__/a.test.ts/moons-1.json'
export const SCREENS = '__recordings__/a.test.ts/screens-1.json'
export const HOSTILE = '__recordings__/b.test.ts/hostile-1.json'
export const LONG = '__recordings__/b.test.ts/long-1.json'

export const MARKUP = '<img src=x onerror="hacked=1"></script><script>hacked=1</script>'

/** What the page is, and what it begins with. */
export const SHELL = ['index.html', 'page.css', 'page.js', 'data/index.js']

/** A report of conversations with streams, pictures, long and hostile texts, after a run in which two tests failed. */
export async function writeExample(): Promise<ReportProject> {
  const project = new ReportProject()
  const [plain, changed] = await Promise.all([screenshot(), screenshot({ banner: true })])
  const path = 'a-long-path/'.repeat(30)
  const screens = [plain, changed].map((one) => ({
    ...TURN,
    arguments: { path },
    screenshot: one,
  }))
  const hostile = {
    question: `${MARKUP} \u202egpj.exe \u001b[31mred`,
    arguments: { [MARKUP]: MARKUP },
    result: MARKUP,
    answer: 'javascript:hacked=1',
  }
  const long = {
    ...TURN,
    answer: Array.from({ length: 900 }, (_, at) => `Line ${at}`).join('\n'),
  }
  await project.write(
    [
      sourceOf(
        'a.test.ts/moons-1.json',
        cassetteOf('a.test.ts > counts moons', [TURN, { ...TURN, answer: 'A needle.' }], {
          stream: true,
        }),
      ),
      sourceOf('a.test.ts/screens-1.json', cassetteOf('a.test.ts > looks at screens', screens)),
      sourceOf('b.test.ts/hostile-1.json', cassetteOf(`b.test.ts > ${MARKUP}`, [hostile])),
      sourceOf('b.test.ts/long-1.json', cassetteOf('b.test.ts > talks long', [long])),
    ],
    {
      failures: [
        {
          headline: `The prompt changed: ${MARKUP}`,
          details: '  message 1 (system)\n    - Be [-kind-].\n    + Be {+quick+}.\n',
          tests: [
            { title: 'a.test.ts > counts moons', path: MOONS },
            { title: 'c.test.ts > nothing recorded', path: '__recordings__/c.test.ts/no-1.json' },
          ],
        },
      ],
    },
  )
  return project
}

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
  project: Pick<ReportProject, 'folder'>,
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
