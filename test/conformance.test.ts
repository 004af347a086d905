import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { cassetteSchema } from '../src/cassette/format/schema.ts'
import { parseJson } from '../src/json/json-value.ts'
import { keepAskingHeaders } from '../src/providers/asking-headers.ts'
import { type Case, playCase, wantedOf } from './conformance/play-case.ts'
import { tables, TYPES } from './conformance/tables.ts'
import { needs } from './needs.ts'

const folder = join(import.meta.dirname, '../conformance')
const names = readdirSync(join(folder, 'cases')).map((file) => file.replace(/\.json$/, ''))

/** The cases that the engine does not pass, and what it lacks. It must not pass any of them unnoticed. */
const MISSING: Record<string, string> = {
  'credential-eight': 'nothing: it plays word for word what was recorded',
  'credential-lines': 'nothing: no client sends a header of several lines',
  'credential-sixteen': 'nothing: it plays word for word what was recorded',
  'hashes-volatile': 'a check of hashes with the volatile rules of the test',
  'raw-wrong': 'a check of raw hashes',
  'volatile-hash': 'a check of hashes with the volatile rules of the test',
}

function readCase(name: string): Case {
  return parseJson(readFileSync(join(folder, 'cases', `${name}.json`), 'utf8')) as unknown as Case
}

test.for(names.filter((name) => !(name in MISSING)))('the engine plays the case %s', (name) => {
  const one = readCase(name)
  expect(playCase(one)).toEqual(wantedOf(one))
})

test.for(Object.entries(MISSING))('the engine does not play the case %s: it lacks %s', ([name]) => {
  const one = readCase(name)
  // If it plays the case now, take it off the list.
  expect(playCase(one)).not.toEqual(wantedOf(one))
})

test('tables.json has the tables of this release', async () => {
  await expect(JSON.stringify(tables(), null, 1)).toMatchFileSnapshot(join(folder, 'tables.json'))
})

test.for([
  'text/event-stream',
  'image/*',
  'image/png',
  'audio/mpeg',
  'text/html',
  'text/plain',
  'text/json',
  '*/*',
  'multipart/form-data',
  'application/json',
  'application/vnd.api+json',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'application/x-ndjson',
  'application/jsonl',
  'application/json-lines',
  'application/pdf',
  'application/vnd.amazon.eventstream',
])('the media type %s counts if the tables say so', (type) => {
  const { headers } = keepAskingHeaders([['content-type', type]], String, 'https://a.example/')
  expect(headers !== undefined).toBe(new RegExp(TYPES).test(type))
})

test('the text names each member of the schema', () => {
  const pages = ['format.md', 'format-values.md'].map((name) =>
    readFileSync(join(folder, '../docs', name), 'utf8'),
  )
  const members = new Set<string>()
  JSON.stringify(z.toJSONSchema(cassetteSchema, { io: 'input' }), (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value as object)) members.add(name)
    return value
  })
  expect(members.size).toBeGreaterThan(50)
  const isNamed = (name: string): boolean =>
    new RegExp(`[\`" ]${name.replace('$', '\\$')}[\`":?,]`).test(pages.join('\n'))
  expect([...members].filter((name) => !isNamed(name))).toEqual([])
})

/** What a player in Python prints of all cases: each failure, then how many passed and how many it refused. */
function play(player: string): { status: number | null; stderr: string; lines: string[] } {
  const { status, stdout, stderr } = spawnSync('python3', ['-B', join(folder, player)], {
    encoding: 'utf8',
  })
  return { status, stderr, lines: stdout.trim().split('\n') }
}

const python = { ...needs('python3'), timeout: 120_000 }

test('player.py passes all cases', python, () => {
  const passed = `${names.length} passed`
  expect(play('player.py')).toEqual({ status: 0, stderr: '', lines: [passed] })
})

test('core.py passes the cases of the first page, and refuses others by name', python, () => {
  const { lines, ...ending } = play('core.py')
  expect({ ...ending, lines }).toEqual({ status: 0, stderr: '', lines: [expect.any(String)] })
  const [, passed, refused] = /^(\d+) passed, (\d+) refused$/.exec(lines[0]!)!
  expect(Number(passed) + Number(refused)).toBe(names.length)
  const ofFirstPage = names.filter((name) => readCase(name).level === 'core')
  expect(Number(passed)).toBeGreaterThanOrEqual(ofFirstPage.length)
})
