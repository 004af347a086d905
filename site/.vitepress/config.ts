import { cpSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { anchorOf, listPages, pagesInOrder, type Listed } from '../../tooling/pages.ts'
import { adaptCode } from '../adapt-code.ts'
import { checkLinks } from '../check-links.ts'
import { leadLinks } from '../lead-links.ts'
import { addressOf } from '../repository.ts'
import { searchOptions } from '../search.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { description, repository, version } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Record<string, string>
const address = addressOf(repository)

const ALL_PAGES = 'docs/README.md'
const HOME = 'site/index.md'
const pages = [ALL_PAGES, ...pagesInOrder()]

/** Pages of those who build this, and tables of what was measured. */
const OF_THE_PROJECT = /^(?:ARCHITECTURE|CONTRIBUTING|CODE_OF_CONDUCT|bench\/|conformance\/)/

/** Files that the pages for language models lead to, and these pages. */
const SERVED = ['llms.txt', 'llms-full.txt', 'skills/vitest-cassette/SKILL.md', ...pages]

function sidebarOf(listed: Listed[]): DefaultTheme.SidebarItem[] {
  return listed.map((one) =>
    'page' in one
      ? { text: one.title, link: `/${addressInSite(one.page).replace(/index\.md$/, '')}` }
      : { text: one.title, items: sidebarOf(one.pages) },
  )
}

/** Patterns of all files but these: in each folder on the way to them, whatever is not on the way. */
function allBut(files: string[]): string[] {
  const onTheWay = new Map<string, Set<string>>()
  for (const file of files)
    for (let path = file; path !== '.'; path = posix.dirname(path)) {
      const folder = posix.dirname(path)
      onTheWay.set(folder, (onTheWay.get(folder) ?? new Set()).add(posix.basename(path)))
    }
  return Array.from(onTheWay, ([folder, names]) => posix.join(folder, `!(${[...names].join('|')})`))
}

/** The site has the paths of the repository, but for this. */
function addressInSite(page: string): string {
  return page === HOME ? 'index.md' : page.replace(/README\.md$/, 'index.md')
}

export default defineConfig({
  title: 'vitest-cassette',
  description,
  lang: 'en',
  srcDir: '..',
  srcExclude: allBut([HOME, ...pages]),
  rewrites: addressInSite,
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  cleanUrls: true,
  head: [
    [
      'link',
      {
        rel: 'icon',
        href: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">📼</text></svg>',
      },
    ],
  ],
  markdown: {
    anchor: { slugify: anchorOf },
    // The pages are read on GitHub too, which knows none of these.
    attrs: false,
    container: false,
    emoji: false,
    footnote: false,
    include: false,
    snippet: false,
    toc: false,
    config(md) {
      leadLinks(md, { root, pages, addressInSite, repository: address })
      adaptCode(md)
    },
  },
  vite: {
    plugins: [
      {
        // Pages lie outside of this folder, which alone has Vue.
        name: 'vue-of-the-site',
        enforce: 'pre',
        resolveId(id) {
          return /^vue(?:\/|$)/.test(id)
            ? this.resolve(id, fileURLToPath(import.meta.url))
            : undefined
        },
      },
    ],
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/docs/start' },
      { text: 'All pages', link: '/docs/' },
      { text: 'Options', link: '/docs/options' },
      { text: 'Commands', link: '/docs/commands' },
      { text: version!, link: '/CHANGELOG' },
    ],
    sidebar: sidebarOf(listPages()),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // What is of users is found first where pages of the project say the same words.
        _render: (text, env, md) =>
          OF_THE_PROJECT.test(env.relativePath) || env.frontmatter?.search === false
            ? ''
            : md.render(text, env),
        miniSearch: { searchOptions },
      },
    },
    externalLinkIcon: true,
    ...(address === undefined
      ? {}
      : {
          socialLinks: [{ icon: 'github', link: address }],
          editLink: { pattern: `${address}/edit/main/:path`, text: 'Edit this page' },
        }),
  },
  buildEnd({ outDir, site: { base } }) {
    for (const file of SERVED) cpSync(join(root, file), join(outDir, file))
    checkLinks(outDir, base)
  },
})
