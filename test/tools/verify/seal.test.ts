import { expect, test } from 'vitest'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { printCassette, printSealed, type StoredCassette } from '../../../src/cassette/format.ts'
import { hashResponse } from '../../../src/cassette/format/hashes.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { resolveConfig } from '../../../src/config/resolved-config.ts'
import { Statistics } from '../../../src/features/run-statistics.ts'
import { CASSETTE_CHECKS } from '../../../src/tools/verify/checks.ts'
import type { Remark } from '../../../src/tools/verify/verify-cassettes.ts'
import { recordAgent } from '../../conversation/example-agent.ts'
import { chatWire } from '../../conversation/example-wires.ts'
import { printMarked } from '../../../src/cassette/format/other-head.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'

const turns = ['one', 'two'].map((name) => ({
  question: name,
  arguments: { name },
  result: name,
  answer: name,
}))

const written = { prompt: { text: 'by hand' }, response: { text: 'an answer' } }

/** The text of a recording, and of one to which a person added an exchange before it was saved. */
function recorded(others: StoredCassette['exchanges'] = []): string {
  const cassette = { ...recordAgent(chatWire, turns), params: { name: 'one' } }
  const { stored } = encodeCassette(cassette, 'schema.json')
  return printSealed({ ...stored, exchanges: [...stored.exchanges, ...others] })
}

function found(text: string, check = 'seal'): Remark[] {
  const stored = parseCassette(text)
  const cassette = decodeCassette(stored, () => Buffer.of())
  const opened = { path: 'a', file: 'a', text, stored, cassette, blobs: new Set<string>() }
  const config = resolveConfig({}, { ci: false, recordInCi: false })
  const circumstances = { config, statistics: new Statistics(), now: new Date() }
  return CASSETTE_CHECKS[check]!(opened, circumstances) as Remark[]
}

type Edit = (cassette: StoredCassette) => void

function editedText(edit: Edit, text = recorded()): string {
  const cassette = parseCassette(text)
  edit(cassette)
  return printCassette(cassette)
}

const edited = (edit: Edit): Remark[] => found(editedText(edit))

test('what was recorded and not touched has no finding', () => {
  expect(found(recorded())).toEqual([])
  expect(found(recorded([written]))).toEqual([])
})

const withoutSeal: Edit = (it) => void delete it.seal
const byHand: Edit = (it) => void delete it.exchanges.at(-1)!.response.sent
const asOlder =
  (version: string): Edit =>
  (it) =>
    void ((it.version = version), withoutSeal(it))

test('a finding says what it is about', async () => {
  const date: Edit = (it) => void (it.timestamp = '2030-01-01T00:00:00.000Z')
  const all = [date, withoutSeal, byHand].flatMap(edited)
  await expectGolden(all.map(({ problem }) => problem).join('\n\n'), 'edited')
  await expectGolden(await failureOf(() => edited(asOlder('1.2'))), 'older-version')
})

test.each<[string, Edit]>([
  ['timestamp', (it) => (it.timestamp = '2030-01-01T00:00:00.000Z')],
  ['version', (it) => (it.version = '2.9')],
  ['oldest answer', (it) => (it.oldest_answer = '2020-01-01T00:00:00.000Z')],
  ['title', (it) => (it.conversation_id = 'b.test.ts > b')],
  ['schema', (it) => (it.$schema = 'https://stranger.invalid/')],
  ['parameters', (it) => (it.params = { name: 'two' })],
  ['parameters that a run proposed', (it) => (it.proposed_params = { name: 'two' })],
  ['mark', (it) => (it.invalid = { reason: 'x', since: '2026-01-01T00:00:00.000Z' })],
  ['rules', (it) => (it.rules = [2])],
  ['hashes', (it) => void delete it.hashes],
  ['duration', (it) => (it.exchanges[0]!.response.duration_ms = 1)],
  ['mark of a kept answer', (it) => (it.exchanges[0]!.response.kept = true)],
  ['part', (it) => (it.exchanges[0]!.part = 'judge')],
  ['port', (it) => (it.exchanges[0]!.request!.url = 'https://api.openai.com:444/')],
  ['layout of a request', (it) => (it.exchanges[0]!.request!.layout = { spaced: true })],
  ['spelling of a request', (it) => (it.exchanges[0]!.request!.as_sent = '{}')],
  [
    'mark of an unknown host',
    (it) => (it.exchanges[0]!.request!.imported = { from: 'vcr', unknown: ['headers'] }),
  ],
  ['number of exchanges', (it) => void it.exchanges.pop()],
])('an edit of the %s is found', (_name, edit) => {
  expect(edited(edit)).toEqual([{ place: '/seal', problem: expect.any(String) }])
})

test('what stands beside a $ in arguments of a tool is printed, and an edit of it is found', () => {
  const parameters = { $: 'a', b: 1 }
  const text = printSealed(
    parseCassette(
      editedText((it) => (it.exchanges[0]!.response.tool_calls![0]!.parameters = parameters)),
    ),
  )
  expect(found(text)).toEqual([])
  const [call] = parseCassette(text).exchanges[0]!.response.tool_calls!
  expect(call!.parameters).toEqual(parameters)
  expect(found(text.replace('"b": 1', '"b": 2'))).toHaveLength(1)
})

test('a seal made by hand, or of another file, is found', () => {
  const other = parseCassette(editedText((it) => (it.timestamp = '2030-01-01T00:00:00.000Z')))
  const { seal } = parseCassette(printSealed(other))
  for (const one of [seal, 'A'.repeat(43)])
    expect(edited((it) => (it.seal = one!))).toMatchObject([{ place: '/seal' }])
  for (const one of ['', 'A'.repeat(42), `${'A'.repeat(42)}=`])
    expect(() => edited((it) => (it.seal = one))).toThrow(coded('invalid-cassette'))
})

test('a file without its seal is found, and one that passes for an older one cannot be read', () => {
  expect(edited(withoutSeal)).toEqual([{ problem: expect.any(String) }])
  for (const version of ['1.0', '1.1', '1.2', '1.3']) {
    const read = (): Remark[] => edited(asOlder(version))
    expect(read).toThrow(coded('invalid-cassette'))
    expect(read).toThrow(` ${version} `)
  }
})

test('an answer that a person put in the place of a recorded one is a warning', () => {
  expect(edited(byHand)).toMatchObject([{ severity: 'warning' }])
})

test('an edit of a recorded exchange is an error, though a person wrote another one', () => {
  const swap: Edit = ({ exchanges: [one] }) => {
    one!.response.text = 'Something else'
    one!.request!.headers = { 'anthropic-beta': 'x' }
  }
  const others: Edit[] = [
    swap,
    (it) => (swap(it), (it.hashes = it.hashes!.map(() => '..'))),
    (it) => (swap(it), delete it.hashes),
  ]
  for (const edit of others) {
    const text = editedText((it) => {
      edit(it)
      it.exchanges.push(written)
    })
    for (const check of ['answer-hash', 'prompt-hash'])
      expect(found(text, check)).toContainEqual({
        place: expect.stringContaining('/exchanges/0/re'),
        problem: expect.any(String),
      })
  }
})

test('hashes of another exchange, or of another file, are found though the file is sealed again', () => {
  const sealed = (edit: Edit): string => printSealed(parseCassette(editedText(edit)))
  const other = parseCassette(
    printSealed(encodeCassette(recordAgent(chatWire, turns.toReversed())).stored),
  )
  const edits: Edit[] = [
    (it) => (it.hashes = it.hashes!.toReversed()),
    (it) => (it.hashes = other.hashes!),
    (it) => (it.hashes = it.hashes!.slice(1)),
    (it) => (it.hashes = it.hashes!.map((hash) => hash.replace(/[^.]+/g, 'A'.repeat(22)))),
    (it) => delete it.hashes,
  ]
  for (const text of edits.map(sealed)) {
    expect(found(text)).toEqual([])
    for (const check of ['answer-hash', 'prompt-hash']) expect(found(text, check)).not.toEqual([])
  }
})

test('a hash of the request as it was sent that is not its own is found though the file is sealed again', () => {
  const text = editedText((it) => {
    it.hashes![0] = it.hashes![0]!.replace(/(?<=\.)[^.]+(?=\.)/, 'A'.repeat(22))
  })
  expect(found(printSealed(parseCassette(text)), 'prompt-hash')).toHaveLength(1)
})

test('a cookie, and a spelling that says something else, are found though the file is sealed again', async () => {
  const cassette = parseCassette(recorded())
  const { request, response } = cassette.exchanges[0]!
  request!.as_sent = `{ "model": "gpt-5" }`
  response.sent!.headers['set-cookie'] = ['a=b', 'c=d']
  cassette.hashes![0] = cassette.hashes![0]!.replace(/[^.]*$/, hashResponse(response))
  const text = printSealed(cassette)
  expect(found(text)).toEqual([])
  const [cookie] = found(text, 'answer-hash')
  const [spelling] = found(text, 'readable-half')
  expect([cookie!.place, spelling!.place]).toEqual([
    '/exchanges/0/response/sent/headers/set-cookie',
    '/exchanges/0/request/as_sent',
  ])
  await expectGolden(`${cookie!.problem}\n\n${spelling!.problem}`, 'sealed-again')
})

test('hashes that other rules counted are not compared, and the file is named', async () => {
  for (const rules of [[2], [1, 'uuid'], [], undefined]) {
    const text = editedText((it) => {
      if (rules) it.rules = rules
      else delete it.rules
      it.hashes = it.hashes!.map((hash) => hash.replace(/^[^.]*/, 'A'.repeat(22)))
    })
    const remarks = found(text, 'prompt-hash')
    expect(remarks).toMatchObject([{ severity: 'warning' }])
    expect(found(text, 'answer-hash')).toEqual([])
    await expectGolden(remarks[0]!.problem, 'other-rules')
  }
})

test('a mark is written into the seal, unless the file was edited before', () => {
  const invalid = { reason: 'the tool is gone', since: '2026-01-01T00:00:00.000Z' }
  const marked = printMarked(parseCassette(recorded()), invalid)
  expect(found(marked)).toEqual([])
  expect(printMarked(parseCassette(marked), undefined)).toBe(recorded())
  const forged = { ...parseCassette(recorded()), timestamp: '2030-01-01T00:00:00.000Z' }
  expect(found(printMarked(forged, invalid))).toHaveLength(1)
  const { seal: _, ...unsealed } = forged
  expect(found(printMarked(unsealed, invalid))).toHaveLength(1)
})
