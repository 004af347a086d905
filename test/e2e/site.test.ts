import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '../../examples/screen-agent/test/chromium.ts'
import { addressOf } from '../../site/repository.ts'
import { searchOptions } from '../../site/search.ts'
import { codeBlocksOf } from '../../tooling/code-blocks.ts'
import { pagesInOrder } from '../../tooling/pages.ts'
import { isNight } from '../effort.ts'
import { needs, testIf } from '../needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where `npm ci --prefix site` installs VitePress. */
const MODULES = join(root, 'site/node_modules')

/** Where a reader is led who searches for these words. */
const SEARCHED: [words: string, section: string][] = [
  ['.env', 'record#keys-in-env'],
  ['timeout', 'failing#a-timeout'],
  ['github actions', 'in-ci#in-ci-as-in-github-actions'],
  ['pytest', 'other-runners#pytest'],
  ['base url', 'start#a-base-url-or-a-model-of-your-own'],
  ['401', 'failing#a-401-while-recording'],
  ['missing', 'record#only-what-is-missing-or-what-changed'],
  ['flaky', 'failing#a-flaky-test'],
  ['temperature', 'start#what-happens-to-a-request'],
  ['cost', 'record#cost-and-its-cap'],
  ['delete recording', 'in-git#delete-recordings'],
  ['rename', 'record#a-test-was-renamed'],
  ['merge conflict', 'in-git#diffs-and-merges'],
  ['snapshot', 'record#snapshots-vitest--u-and-u-in-watch-mode'],
  ['jest', 'other-runners#jest'],
  ['ollama', 'providers'],
  ['azure', 'providers'],
  ['openai', 'providers'],
  ['secret', 'security'],
  ['api key', 'security'],
  ['stream', 'in-tests#streams-and-partial-answers'],
  ['screenshot', 'pictures'],
  ['uuid', 'volatile'],
]

/** Pages that the search leaves out: those of who builds this, and tables of what was measured. */
const OF_THE_PROJECT = /^(?:ARCHITECTURE|CONTRIBUTING|CODE_OF_CONDUCT|bench\/|conformance\/)/

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

describe('the site', needs('site'), () => {
  let site: string

  beforeAll(async () => {
    site = newFolder()
    const built = await build(join(root, 'site'), '--outDir', site)
    expect(built.code, built.said).toBe(0)
  })

  test('has each page of docs/README.md, in its order', () => {
    const [, sidebar] = /<aside class="VPSidebar"[^]*?>([^]*?)<\/aside>/.exec(pageAt('docs/start'))!
    const links = Array.from(sidebar!.matchAll(/href="([^"]+)"/g), ([, link]) => link)
    expect(links).toEqual(pagesInOrder().map(addressOfPage))
    for (const link of links) expect(pageAt(link!.slice(1))).toContain('<h1')
  })

  test('finds a word of each page, offline', async () => {
    const search = await loadSearch()
    const ofUsers = pagesInOrder().filter((page) => !OF_THE_PROJECT.test(page))
    expect(ofUsers.length).toBeGreaterThan(40)
    for (const page of ofUsers) {
      const found = search.search(wordOf(page)).map(({ id }) => id.split('#')[0])
      expect(found, `${page}: ${wordOf(page)}`).toContain(addressOfPage(page))
    }
  })

  test('leads who searches to the section that answers', async () => {
    const search = await loadSearch()
    const found = SEARCHED.map(([words]) => search.search(words)[0]?.id.replace('/docs/', ''))
    // Where the table names a page, any section of it will do.
    expect(
      SEARCHED.map(([words, section], at) => [
        words,
        section.includes('#') ? found[at] : found[at]?.split('#')[0],
      ]),
    ).toEqual(SEARCHED)
  })

  testIf(isNight)(
    'has no page that scrolls sideways, nor a table on a wide screen',
    { ...needs('chromium'), timeout: 300_000 },
    async () => {
      await using browser = await startChromium()
      const page = await browser.newPage({ javaScriptEnabled: false })
      await page.route('http://site/**', (route) => {
        const path = new URL(route.request().url()).pathname
        return /\.\w+$/.test(path)
          ? route.fulfill({ path: join(site, path) })
          : route.fulfill({ body: pageAt(path), contentType: 'text/html' })
      })
      const scrolling: string[] = []
      for (const address of ['/', '/docs/', ...pagesInOrder().map(addressOfPage)]) {
        await page.goto(`http://site${address}`)
        for (const width of [1440, 1024, 390]) {
          await page.setViewportSize({ width, height: 900 })
          const wide = await page.evaluate(
            widerThanTheirPlace,
            width === 1440 ? 'html, table' : 'html',
          )
          scrolling.push(...wide.map((one) => `${address} at ${width}: ${one}`))
        }
      }
      expect(scrolling).toEqual([])
    },
  )

  test('has the files for language models, and all that these link to', () => {
    for (const name of ['llms.txt', 'llms-full.txt'])
      expect(readFileSync(join(site, name), 'utf8')).toBe(readFileSync(join(root, name), 'utf8'))
    const list = readFileSync(join(site, 'llms.txt'), 'utf8')
    const links = Array.from(list.matchAll(/\]\(([^)]+)\)/g), ([, link]) => link!)
    expect(links.length).toBeGreaterThan(40)
    expect(links.filter((link) => !existsSync(join(site, link)))).toEqual([])
  })

  test('asks no other host for anything', () => {
    const asked = /<(?:script|link|img)\b[^>]* (?:src|href)="(?:https?:)?\/\/[^"]*"/
    for (const page of pagesInOrder()) expect(pageAt(addressOfPage(page))).not.toMatch(asked)
  })

  async function loadSearch(): Promise<Searchable> {
    const chunks = join(site, 'assets/chunks')
    const index = readdirSync(chunks).find((file) => file.startsWith('@localSearchIndexroot'))!
    const { default: text } = (await import(join(chunks, index))) as { default: string }
    const MiniSearch = createRequire(join(MODULES, '_'))('minisearch') as MiniSearch
    return MiniSearch.loadJSON(text, { fields: ['title', 'titles', 'text'], searchOptions })
  }

  function pageAt(address: string): string {
    const page = join(site, address)
    return readFileSync(existsSync(`${page}.html`) ? `${page}.html` : `${page}index.html`, 'utf8')
  }
})

if (isNight)
  describe('the build of a site', needs('site'), () => {
    test('fails where a page links to a page that is not there', async () => {
      const built = await build(smallSite({ 'docs/start.md': '# Start\n\n[gone](gone.md)' }))
      expect(built.said).toMatch(/dead link \.\/gone in file .*start\.md:3/)
      expect(built.code).toBe(1)
    })

    test('fails where a page links to an anchor or a file that is not there, and names all', async () => {
      const start = `# Start

[gone](#gone), [away](options.md#away), [a file](../gone.ts), [there](options.md#is-there), [here](#start)

The [\`manifest\`](../package.json).`
      const folder = smallSite({
        'docs/start.md': start,
        'docs/options.md': '# Options\n\n## Is there',
      })
      const built = await build(folder)
      const [, broken] = /lead nowhere:\n((?: {2}.*\n)+)/.exec(built.said) ?? []
      expect(broken?.trim().split(/\n */)).toEqual([
        'docs/start.html: #gone',
        'docs/start.html: ./options#away',
        'docs/start.html: ../gone.ts',
      ])
      expect(built.code).toBe(1)
      // Without an address of the repository, a file of it is named, and nothing offers to edit the page.
      const html = readFileSync(join(folder, 'dist/docs/start.html'), 'utf8')
      expect(html).toMatch(/<p>The <code[^>]*>manifest<\/code>\.<\/p>/)
      expect(html).not.toContain('edit-link')
    })

    test('leads to the repository once its owner has filled it in', async () => {
      const folder = smallSite(
        { 'docs/start.md': '# Start\n\nThe [manifest](../package.json).' },
        { repository: 'github:a/b', version: '1.2.3' },
      )
      const built = await build(folder)
      expect(built.code, built.said).toBe(0)
      const html = readFileSync(join(folder, 'dist/docs/start.html'), 'utf8')
      expect(html).toContain('href="https://github.com/a/b/blob/main/package.json"')
      expect(html).toContain('href="https://github.com/a/b/edit/main/docs/start.md"')
      expect(html).toContain('1.2.3')
    })
  })

test.for<[field: Parameters<typeof addressOf>[0], address: string | undefined]>([
  [undefined, undefined],
  ['a/b', 'https://github.com/a/b'],
  ['github:a/b', 'https://github.com/a/b'],
  ['https://github.com/a/b', 'https://github.com/a/b'],
  [{ url: 'git+https://github.com/a/b.git' }, 'https://github.com/a/b'],
  [{ url: 'git+ssh://git@github.com/a/b.git' }, 'https://github.com/a/b'],
  ['git@git.example:a/b.git', 'https://git.example/a/b'],
])('the repository %j is at %s', ([field, address]) => {
  expect(addressOf(field)).toBe(address)
})

interface MiniSearch {
  loadJSON(text: string, options: object): Searchable
}

interface Searchable {
  search(words: string): Array<{ id: string }>
}

/** The elements that scroll sideways, by their first words. Runs in the page. */
function widerThanTheirPlace(selector: string): string[] {
  return Array.from(document.querySelectorAll<HTMLElement>(selector))
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.tagName} ${one.innerText.slice(0, 40)}`)
}

function addressOfPage(page: string): string {
  return `/${page.replace(/(?:README)?\.md$/, '')}`
}

/** The longest word of the text of a page, which is hardly in every other. */
function wordOf(page: string): string {
  let text = readFileSync(join(root, page), 'utf8')
  for (const { code } of codeBlocksOf(text)) text = text.replace(code, '')
  const words = text
    .replaceAll(/`[^`]*`|\]\([^)]*\)|<!--[^]*?-->/g, ' ')
    .match(/(?<= )[a-z]{5,}(?= )/g)!
  return words.reduce((one, other) => (other.length > one.length ? other : one))
}

/** A site of the same pages, which say nothing below their headings but what is given. */
function smallSite(contents: Record<string, string>, fields: object = {}): string {
  const folder = newFolder()
  for (const path of [
    'docs/README.md',
    'docs/failure.svg',
    'site',
    'skills',
    'tooling',
    'llms.txt',
    'llms-full.txt',
  ])
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !/node_modules|dist$|\.temp$/.test(source.slice(root.length)),
    })
  for (const page of pagesInOrder()) {
    mkdirSync(join(folder, dirname(page)), { recursive: true })
    writeFileSync(join(folder, page), contents[page] ?? headings(page))
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', version: '0.0.0', ...fields }),
  )
  symlinkSync(MODULES, join(folder, 'site/node_modules'))
  return join(folder, 'site')
}

function headings(page: string): string {
  return readFileSync(join(root, page), 'utf8')
    .match(/^#+ .*$/gm)!
    .join('\n\n')
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitest-cassette-site-'))
  folders.push(folder)
  return folder
}

function build(cwd: string, ...words: string[]): Promise<{ code: number; said: string }> {
  const vitepress = join(MODULES, 'vitepress/bin/vitepress.js')
  const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' }
  return new Promise((resolve) =>
    execFile(process.execPath, [vitepress, 'build', ...words], { cwd, env }, (error, out, said) =>
      resolve({ code: Number(error?.code ?? 0), said: out + said }),
    ),
  )
}
