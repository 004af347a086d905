import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { llmsFiles } from '../tooling/llms.ts'
import { anchorOf, pagesInOrder } from '../tooling/pages.ts'
import { COMMANDS } from '../src/tools/commands.ts'
import { fillOptions, optionsSchema } from '../src/config/options.ts'
import { valueOfDefault } from './config/value-of-default.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  'bench/README.md',
  ...docs.map((name) => `docs/${name}`),
]

test.for(pages)('each link of %s leads to a page and a heading that there are', (page) => {
  const links = Array.from(read(page).matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link!)
  const broken = links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(page, link))
  expect(broken).toEqual([])
})

test('the skill for agents has its front matter, and names commands that there are', () => {
  const skill = read('skills/vitest-cassette/SKILL.md')
  const [, head] = /^---\n([^]*?)\n---\n/.exec(skill)!
  const { name, description } = parse(head!) as Record<string, string>
  expect(name).toBe('vitest-cassette')
  expect(description!.length).toBeGreaterThan(80)
  expect(description!.length).toBeLessThan(1024)
  const used = Array.from(skill.matchAll(/npx vitest-cassette ([a-z]+)/g), ([, word]) => word!)
  expect(used.length).toBeGreaterThan(5)
  for (const word of used) expect(COMMANDS.map((one) => one.name)).toContain(word)
})

test('docs/commands.md tells what each command with --json writes, and its exit code', () => {
  const section = read('docs/commands.md').split('## For programs')[1]!.split('\n## ')[0]!
  const told = rowsOf(section).map(([cell]) => cell!.replaceAll('`', ''))
  const named = COMMANDS.filter(({ options }) => 'json' in options).map(({ name }) => name)
  expect(told.slice(1).toSorted()).toEqual(
    named.filter((name) => !name.startsWith('history')).toSorted(),
  )
})

test('docs/README.md lists every page once', () => {
  const listed = pagesInOrder()
  const own = docs.filter((name) => name !== 'README.md').map((name) => `docs/${name}`)
  expect(listed.filter((page) => page.startsWith('docs/')).toSorted()).toEqual(own)
  expect(new Set(listed).size).toBe(listed.length)
})

test('CHANGELOG.md begins with what is unreleased, and then has the version of package.json', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const heads = Array.from(read('CHANGELOG.md').matchAll(/^## (\S+)/gm), ([, head]) => head)
  expect(heads.slice(0, 2)).toEqual(['Unreleased', version])
})

test.for(Object.entries(llmsFiles()))('%s is what "npm run llms" writes', ([name, text]) => {
  expect(read(name) === text, `${name} is out of date: npm run llms`).toBe(true)
})

test('llms.txt names every page, with what it is about', () => {
  const lines = read('llms.txt')
    .split('\n')
    .filter((line) => line.startsWith('- ['))
  expect(lines).toHaveLength(docs.length - 1)
  for (const line of lines) expect(line).toMatch(/^- \[[^\]]+\]\(docs\/[\w-]+\.md\)(?:: \S.*)?$/)
  expect(lines.filter((line) => line.includes('): ')).length).toBeGreaterThan(docs.length * 0.7)
})

test('docs/failing.md begins with what failures begin with', () => {
  const sources = filesBelow(join(root, 'src')).map((file) => readFileSync(file, 'utf8'))
  const [table] = read('docs/failing.md').split('\n## ')
  const told = rowsOf(table!).flatMap(([cell]) =>
    Array.from(cell!.matchAll(/`([^`]+)`/g), ([, text]) => text!),
  )
  expect(told.length).toBeGreaterThan(10)
  const pieces = told.flatMap((text) => text.replace(/^The (?:prompt|provider) /, '').split('…'))
  for (const piece of pieces.map((text) => text.trim()).filter(Boolean))
    expect(
      sources.some((source) => source.includes(piece)),
      piece,
    ).toBe(true)
})

test('README.md is read in one go: 110 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(110)
})

test('the figures of README.md are those of the table', () => {
  const table = rowsOf(read('bench/README.md').split('<!-- bench -->')[1]!)
  const [names, ...rows] = rowsOf(read('README.md').split('## Speed')[1]!)
  const columns = names!.slice(1).map((name) => table[0]!.indexOf(name))
  const measured = new Map(table.map(([name, ...cells]) => [name!, cells]))
  for (const [name, ...cells] of rows) {
    const full = [...measured.keys()].find((row) => row.startsWith(name!.replace(/^a /, '')))
    expect(full, name).toBeDefined()
    const ratios = columns.map((at) => measured.get(full!)![at - 1]!.replace('¹', ''))
    expect(cells, name).toEqual(ratios)
  }
})

test('docs/options.md has each option with its default, and no other', () => {
  const rows = rowsOf(read('docs/options.md')).map(
    ([cell, written]) =>
      [Array.from(cell!.matchAll(/`(\w+)`/g), ([, name]) => name!), written!] as const,
  )
  const named = rows.flatMap(([names]) => names)
  expect(named.toSorted()).toEqual(Object.keys(optionsSchema.shape).toSorted())
  const filled: Record<string, unknown> = fillOptions({})
  for (const [[name, ...others], written] of rows)
    if (name !== undefined && others.length === 0)
      expect(valueOfDefault(written.replaceAll('`', '')), name).toEqual(filled[name])
})

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path, heading] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), path!))
  if (!existsSync(join(root, target))) return false
  if (heading === undefined || !target.endsWith('.md')) return true
  return Array.from(read(target).matchAll(/^#+ (.*)$/gm), ([, text]) => anchorOf(text!)).includes(
    heading,
  )
}

/** The cells of the tables of a page, without the lines below their heads. */
function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|:-]*\|$/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}
