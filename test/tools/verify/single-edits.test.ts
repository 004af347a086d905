import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CassetteReader } from '../../../src/cassette/reader.ts'
import { FORMAT_VERSION, printCassette, type StoredCassette } from '../../../src/cassette/format.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { resolveConfig } from '../../../src/config/resolved-config.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/json/json-value.ts'
import { Statistics } from '../../../src/features/run-statistics.ts'
import type { Remark } from '../../../src/tools/verify/verify-cassettes.ts'
import { CASSETTE_CHECKS } from '../../../src/tools/verify/checks.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = `__recordings__/test/recordings/format-${FORMAT_VERSION}.test.ts`

/** Real recordings: of several turns, of a stream, of a socket. */
const recordings = readdirSync(`${root}${folder}`)
  .filter((name) =>
    /^(?:openai-chat|openai-realtime|bedrock-converse|anthropic-messages)/.test(name),
  )
  .map((name) => `${folder}/${name}`)

/** Edits by which an exchange becomes one that a person wrote, which is a warning: see docs/verify.md. */
const WRITES = /^delete \/exchanges\/\d+\/(?:request|response\/sent)$/

/** @param counts whether a remark counts */
async function isFound(
  path: string,
  text: string,
  counts = ({ severity }: Remark): boolean => severity !== 'warning',
): Promise<boolean> {
  let opened
  try {
    const parsed = parseCassette(text)
    opened = new CassetteReader(root, '__recordings__', 1e9, () => parsed).open(
      path.replace('__recordings__/', ''),
    )!
  } catch {
    // A file that cannot be read is a finding.
    return true
  }
  const config = resolveConfig({}, { ci: false, recordInCi: false })
  const circumstances = { config, statistics: new Statistics(), now: new Date() }
  const checked = { ...opened, text, path: path.replace('__recordings__/', ''), file: path }
  for (const check of Object.values(CASSETTE_CHECKS))
    if ((await check(checked, circumstances)).some(counts)) return true
  return false
}

/** A value with one edit, at each of its places in turn. */
function* edits(value: JsonValue, place = ''): Generator<[edit: string, edited: JsonValue]> {
  if (typeof value === 'string') yield [`add a word to ${place}`, `${value} x`]
  if (typeof value === 'number') yield [`change ${place}`, value + 1]
  if (typeof value === 'boolean') yield [`change ${place}`, !value]
  if (Array.isArray(value)) {
    for (const index of value.keys()) {
      yield [`delete ${place}/${index}`, value.toSpliced(index, 1)]
      yield [`repeat ${place}/${index}`, value.toSpliced(index, 0, value[index]!)]
    }
    const reversed = value.toReversed()
    if (JSON.stringify(reversed) !== JSON.stringify(value)) yield [`reverse ${place}`, reversed]
    for (const [index, item] of value.entries())
      for (const [edit, edited] of edits(item, `${place}/${index}`))
        yield [edit, value.with(index, edited)]
  }
  if (isJsonObject(value))
    for (const [key, child] of Object.entries(value)) {
      const { [key]: _, ...others } = value
      yield [`delete ${place}/${key}`, others]
      for (const [edit, edited] of edits(child, `${place}/${key}`))
        yield [edit, { ...value, [key]: edited }]
    }
}

test('each single edit of a recording is found', { timeout: 300_000 }, async () => {
  const left: string[] = []
  let count = 0
  for (const path of recordings) {
    const text = readFileSync(root + path, 'utf8')
    expect(await isFound(path, text), path).toBe(false)
    for (const [edit, edited] of edits(JSON.parse(text) as JsonObject)) {
      count++
      // Printed as we print it, so that only the edit itself can be found.
      const printed = printCassette(edited as never)
      if (!(await isFound(path, printed, WRITES.test(edit) ? () => true : undefined)))
        left.push(`${path}: ${edit}`)
    }
  }
  console.log(`${count} edits of ${recordings.length} recordings`)
  expect(left).toEqual([])
})

test('an edit by somebody who takes hashes or the seal away, or names another version, is found', async () => {
  const left: string[] = []
  for (const path of recordings) {
    const text = readFileSync(root + path, 'utf8')
    for (const version of [undefined, '1.0', '1.1', '1.2', '1.3', '1.99', '2.1', '3.0'])
      for (const [what, edit] of HASHLESS) {
        const edited = parseCassette(text)
        if (version !== undefined) edited.version = version
        edit(edited)
        if (printCassette(edited) === printCassette(parseCassette(text))) continue
        if (!(await isFound(path, printCassette(edited)))) left.push(`${path}: ${what}, ${version}`)
      }
  }
  expect(left).toEqual([])
})

const HASHLESS: Array<[what: string, edit: (file: StoredCassette) => void]> = [
  ['nothing else', () => {}],
  ['without the seal', (file) => void delete file.seal],
  ['without the hashes', (file) => void delete file.hashes],
  ['without the rules', (file) => void delete file.rules],
  ['with empty hashes', (file) => (file.hashes = file.hashes!.map(() => '..'))],
  ['without any hash', (file) => (delete file.hashes, delete file.rules, delete file.seal)],
  [
    'with an earlier date and without the seal',
    (file) => {
      file.timestamp = '2020-01-01T00:00:00.000Z'
      delete file.seal
    },
  ],
  [
    'in another order and without the seal',
    (file) => {
      file.exchanges = file.exchanges.toReversed()
      delete file.seal
    },
  ],
]
