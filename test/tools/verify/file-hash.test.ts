import { expect, test } from 'vitest'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { printCassette, type StoredCassette } from '../../../src/cassette/format.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { resolveConfig } from '../../../src/config/resolved-config.ts'
import { Statistics } from '../../../src/features/run-statistics.ts'
import { CASSETTE_CHECKS } from '../../../src/tools/verify/checks.ts'
import type { Remark } from '../../../src/tools/verify/verify-cassettes.ts'
import { recordAgent } from '../../conversation/example-agent.ts'
import { chatWire } from '../../conversation/example-wires.ts'
import { printMarked } from '../../../src/cassette/store.ts'

const turns = ['one', 'two'].map((name) => ({
  question: name,
  arguments: { name },
  result: name,
  answer: name,
}))

type Edited = Record<string, unknown> & {
  exchanges: Array<{
    id: string
    response: Record<string, unknown>
    wire: { request: Record<string, unknown>; response?: object }
  }>
}

function recorded(): StoredCassette {
  const cassette = { ...recordAgent(chatWire, turns), params: { name: 'one' } }
  return encodeCassette(cassette, 'schema.json').stored
}

function found(text: string): Remark[] {
  const stored = parseCassette(text)
  const cassette = decodeCassette(stored, () => Buffer.of())
  const opened = { path: 'a', file: 'a', text, stored, cassette, blobs: new Set<string>() }
  const config = resolveConfig({}, { ci: false, recordInCi: false })
  const circumstances = { config, statistics: new Statistics(), now: new Date() }
  return CASSETTE_CHECKS['file-hash']!(opened, circumstances) as Remark[]
}

function edited(edit: (cassette: Edited) => void): Remark[] {
  const cassette = JSON.parse(printCassette(recorded())) as Edited
  edit(cassette)
  return found(printCassette(cassette))
}

test('what was recorded and not touched has no finding', () => {
  expect(found(printCassette(recorded()))).toEqual([])
})

const HEAD = expect.stringContaining('version, title, dates')
const EXCHANGES = expect.stringContaining('edited, moved or deleted')

test.each<[string, (cassette: Edited) => void, unknown]>([
  ['timestamp', (it) => (it.timestamp = '2030-01-01T00:00:00.000Z'), HEAD],
  ['version', (it) => (it.version = '1.9'), HEAD],
  ['oldest answer', (it) => (it.oldest_answer = '2020-01-01T00:00:00.000Z'), HEAD],
  ['title', (it) => (it.conversation_id = 'b.test.ts > b'), HEAD],
  ['schema', (it) => (it.$schema = 'https://stranger.invalid/'), HEAD],
  ['parameters', (it) => (it.params = { name: 'two' }), HEAD],
  ['mark', (it) => (it.invalid = { reason: 'x', since: '2026-01-01T00:00:00.000Z' }), HEAD],
  ['duration', (it) => (it.exchanges[0]!.response.duration_ms = 1), EXCHANGES],
  ['mark of a kept answer', (it) => (it.exchanges[0]!.response.kept = true), EXCHANGES],
  ['port', (it) => (it.exchanges[0]!.wire.request.url = 'https://api.openai.com:444/'), EXCHANGES],
  ['mark of unknown headers', (it) => (it.exchanges[0]!.wire.request.older = 'headers'), EXCHANGES],
  ['number of exchanges', (it) => void it.exchanges.pop(), EXCHANGES],
])('an edit of the %s is found', (_name, edit, problem) => {
  expect(edited(edit)).toEqual([{ place: '/file_hash', problem }])
})

test('a file without its hash is found, and one that passes for an older one cannot be read', () => {
  expect(edited((it) => delete it.file_hash)).toEqual([
    { problem: expect.stringContaining('has no hash') },
  ])
  for (const version of ['1.0', '1.1', '1.2'])
    for (const hash of ['file_hash', 'hashes'])
      expect(() => edited((it) => ((it.version = version), delete it[hash]))).toThrow(
        `recorded exchanges in version ${version} of the format, which no release wrote`,
      )
})

test('an answer that a person put in the place of a recorded one is a warning, an edited date even so an error', () => {
  const write = (it: Edited): void => void delete it.exchanges.at(-1)!.wire.response
  expect(edited(write)).toMatchObject([{ severity: 'warning' }])
  const found = edited((it) => {
    write(it)
    it.timestamp = '2030-01-01T00:00:00.000Z'
  })
  expect(found).toMatchObject([{ problem: HEAD }, { severity: 'warning' }])
})

test('a mark is written into the hash, unless the file was edited before', () => {
  const invalid = { reason: 'the tool is gone', since: '2026-01-01T00:00:00.000Z' }
  const marked = printMarked(recorded(), invalid)
  expect(found(marked)).toEqual([])
  expect(printMarked(parseCassette(marked), undefined)).toBe(printCassette(recorded()))
  const forged = { ...recorded(), timestamp: '2030-01-01T00:00:00.000Z' }
  expect(found(printMarked(forged, invalid))).toHaveLength(1)
})
