import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/tools/commands.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'))
const docs = pages.map((name) => readFileSync(`${root}docs/${name}`, 'utf8'))
const listed = readFileSync(`${root}docs/commands.md`, 'utf8')

test('docs/commands.md has each command once, and no other', () => {
  const [table] = /\| command \|[^]*?\n\n/.exec(listed)!
  const rows = table.split('\n').slice(2)
  const named = rows.flatMap((row) => row.split('|')[1]?.match(/`[\w -]+`/g) ?? [])
  expect(named.sort()).toEqual(COMMANDS.map(({ name }) => `\`${name}\``).sort())
})

test('every option of a command stands on a page', () => {
  const text = docs.join('\n')
  const missing = COMMANDS.flatMap(({ name, options }) =>
    Object.keys(options).flatMap((option) =>
      [`--${option}`, `--no-${option}`].some((word) => text.includes(word))
        ? []
        : `${name} --${option}`,
    ),
  )
  expect(missing).toEqual([])
})

/** Flags that say of each command what they mean there. */
const OF_EACH = ['dir', 'force', 'format', 'json', 'model', 'redact', 'samples', 'store', 'test']

test('a flag means the same in every command', () => {
  const all = COMMANDS.flatMap(({ options }) => Object.entries(options))
  const meanings = Map.groupBy(all, ([name]) => name)
  const several = [...meanings].filter(
    ([, found]) => new Set(found.map(([, { help }]) => help)).size > 1,
  )
  expect(several.map(([name]) => name).toSorted()).toEqual(OF_EACH)
  expect(meanings.size).toBeLessThanOrEqual(90)
})
