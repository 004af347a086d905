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
import { coded, expectGolden, failureOf } from '../../golden.ts'

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

const HEAD = edited((it) => (it.timestamp = '2030-01-01T00:00:00.000Z'))[0]!.problem
const EXCHANGES = edited((it) => void it.exchanges.pop())[0]!.problem
const withoutHash = (): Remark[] => edited((it) => delete it.file_hash)
const byHand = (it: Edited): void => void delete it.exchanges.at(-1)!.wire.response

/** Passes for a file of an older version, which had not this hash. */
const asOlder =
  (version: string, hash: string) =>
  (it: Edited): void =>
    void ((it.version = version), delete it[hash])

test('a finding says which part of the file was edited', async () => {
  const all = [[{ problem: HEAD }], [{ problem: EXCHANGES }], withoutHash(), edited(byHand)]
  await expectGolden(all.flatMap(([remark]) => remark!.problem).join('\n\n'), 'edited')
  const older = await failureOf(() => edited(asOlder('1.2', 'file_hash')))
  await expectGolden(older, 'older-version')
})

test.each<[string, (cassette: Edited) => void, string]>([
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
  [
    'mark of unknown headers',
    (it) => (it.exchanges[0]!.wire.request.imported = { from: 'har', unknown: ['headers'] }),
    EXCHANGES,
  ],
  ['number of exchanges', (it) => void it.exchanges.pop(), EXCHANGES],
])('an edit of the %s is found', (_name, edit, problem) => {
  expect(HEAD).not.toBe(EXCHANGES)
  expect(edited(edit)).toEqual([{ place: '/file_hash', problem }])
})

test('a file without its hash is found, and one that passes for an older one cannot be read', () => {
  expect(withoutHash()).toEqual([{ problem: expect.any(String) }])
  for (const version of ['1.0', '1.1', '1.2'])
    for (const hash of ['file_hash', 'hashes']) {
      const read = (): Remark[] => edited(asOlder(version, hash))
      expect(read).toThrow(coded('invalid-cassette'))
      expect(read).toThrow(` ${version} `)
    }
})

test('an answer that a person put in the place of a recorded one is a warning, an edited date even so an error', () => {
  expect(edited(byHand)).toMatchObject([{ severity: 'warning' }])
  const found = edited((it) => {
    byHand(it)
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
