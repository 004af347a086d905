import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { expect, test } from 'vitest'
import type { UnreadFile } from '../../../src/tools/import/files.ts'
import { FOREIGN_FORMATS } from '../../../src/tools/import/formats/all.ts'
import { times } from '../../effort.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'
import { foreignFolder, readOne } from './foreign-folder.ts'
import { headOf } from './reasons.ts'
import { SAMPLES } from './samples.ts'

test.for(SAMPLES)('a file of $format is recognised by its content', ({ format, content }) => {
  const recording = readOne(content, 'any.name')
  expect(recording).toMatchObject({ file: 'any.name', format })
  expect(recording.exchanges.length).toBeGreaterThan(0)
})

test.for(SAMPLES)('a file of $format can be packed', ({ format, content }) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const { format: read, exchanges } = readOne(gzipSync(text), 'any.gz')
  expect([read, exchanges]).toEqual([format, readOne(text).exchanges])
})

test('a packed file that is broken is told', async () => {
  const packed = gzipSync(JSON.stringify(SAMPLES[1]!.content).padEnd(2000)).subarray(0, 120)
  const { unread } = foreignFolder({ 'a.json.gz': packed }).read({ from: 'nock' })
  expect(unread).toMatchObject([{ file: 'a.json.gz', nearest: 'nock', isBroken: true }])
  await expectGolden(headOf(unread[0]!.reason), 'packed-and-broken')
})

test('every format has a sample', () => {
  expect(SAMPLES.map(({ format }) => format)).toEqual(FOREIGN_FORMATS.map(({ name }) => name))
})

test('a folder is read whole, in order of names, without folders of packages', async () => {
  const folder = foreignFolder({
    'b.json': SAMPLES[1]!.content,
    'a/c.har': SAMPLES[0]!.content,
    'node_modules/x/d.har': SAMPLES[0]!.content,
    '.git/e.har': SAMPLES[0]!.content,
  })
  symlinkSync(join(folder.path, 'b.json'), join(folder.path, 'link.json'))
  const { recordings, unread } = folder.read()
  expect(recordings.map(({ file }) => file)).toEqual(['a/c.har', 'b.json'])
  expect(unread).toEqual([{ file: 'link.json', reason: expect.any(String) as string }])
  await expectGolden(unread[0]!.reason, 'link')
  const named = folder.read({}, ['a', 'b.json'])
  expect(named.recordings.map(({ file }) => file)).toEqual(['a/c.har', 'b.json'])
})

const JSON_OF = {
  'our own.json': { version: '1.0', exchanges: [] },
  'otlp.json': { resourceSpans: [] },
  'langfuse.json': { trace: {}, observations: [] },
  'wiremock.json': { request: { urlPath: '/a', method: 'GET' }, response: { status: 200 } },
  'package.json': { name: 'a', dependencies: {} },
  'half.json': '{"fixtures": [{"match": {',
  'lines.log': '{"level":"info"}\n{"level":"warn"}\n',
}

test('what is not read is named, with the reason and the nearest format', async () => {
  const folder = foreignFolder({
    ...JSON_OF,
    'readme.md': '# Recordings\n',
    'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]),
    'archive.zip': Buffer.from('PK\u0003\u0004....', 'latin1'),
    'grpc.yaml': 'version: 1\ninteractions:\n- request_sample: {json: {}}\n  response_sample: {}\n',
    'sdk.yaml': 'messages:\n- response:\n    request_id: req_1\n  type: control_response\n',
    'empty.txt': '',
  })
  const { recordings, unread } = folder.read()
  expect(recordings).toEqual([])
  const of = Object.fromEntries(unread.map(({ file, ...others }) => [file, others]))
  const unlike = (name: string = ''): object => ({
    reason: expect.stringContaining(name) as string,
  })
  const trace = { nearest: 'a trace', isBroken: true }
  expect(of).toEqual({
    'our own.json': unlike(),
    'otlp.json': expect.objectContaining(trace) as object,
    'langfuse.json': expect.objectContaining(trace) as object,
    'wiremock.json': unlike('WireMock'),
    'package.json': unlike(),
    'half.json': expect.objectContaining({ nearest: 'aimock', isBroken: true }) as object,
    'lines.log': unlike(),
    'readme.md': unlike(),
    'picture.png': unlike(),
    'archive.zip': unlike('npx vitest-cassette import '),
    'grpc.yaml': unlike('gRPC'),
    'sdk.yaml': unlike('Claude Agent SDK'),
    'empty.txt': unlike(),
  })
  const told = Object.groupBy(unread, ({ reason }) => headOf(reason))
  expect(told[of['readme.md']!.reason]!.map(({ file }) => file)).toEqual([
    'empty.txt',
    'lines.log',
    'package.json',
    'picture.png',
    'readme.md',
  ])
  const lines = Object.entries(told).map(([head, files]) => {
    const [{ reason, isBroken }] = files as [UnreadFile]
    // What follows in broken files is the advice for all of them.
    return [files!.map(({ file }) => file).join(', '), isBroken ? head : reason].join('\n')
  })
  await expectGolden(lines.join('\n\n'), 'not-read')
})

test('a file that is broken stops no other', () => {
  const { recordings, unread } = foreignFolder({
    'a.har': '{"log":{"entries":[{}]}}',
    'b.har': SAMPLES[0]!.content,
  }).read()
  expect(recordings.map(({ file }) => file)).toEqual(['b.har'])
  expect(unread).toMatchObject([{ file: 'a.har', nearest: 'har', isBroken: true }])
})

test('a format can be told, and is not asked then', async () => {
  const config = { anything: [1] }
  const { recordings } = foreignFolder({ 'a.json': config }).read({ from: 'answers' })
  expect(recordings).toMatchObject([{ format: 'answers', exchanges: [{}] }])
  const { unread } = foreignFolder({ 'a.json': config }).read({ from: 'nock' })
  expect(unread).toMatchObject([{ nearest: 'nock', isBroken: true }])
  await expectGolden(unread[0]!.reason, 'not-of-this-format')
})

test('a format or a file that there is not is refused', async () => {
  const folder = foreignFolder()
  const noFormat = (): unknown => folder.read({ from: 'nok' })
  expect(noFormat).toThrow(coded('invalid-command'))
  expect(noFormat).toThrow("'nok'")
  await expectGolden(await failureOf(noFormat), 'no-format')
  const noFile = (): unknown => folder.read({}, ['gone.har'])
  expect(noFile).toThrow(coded('invalid-command'))
  expect(noFile).toThrow('gone.har')
  await expectGolden(await failureOf(noFile), 'no-file')
})

test('a text that is no UTF-8 is told', async () => {
  const { unread } = foreignFolder({
    'a.json': Buffer.concat([Buffer.from('{"fixtures": [{"match": "'), Buffer.from([0xff])]),
  }).read()
  expect(unread).toMatchObject([{ file: 'a.json', nearest: 'aimock', isBroken: true }])
  await expectGolden(headOf(unread[0]!.reason), 'no-utf-8')
})

/** The places of all values in a value. */
function placesIn(value: unknown, place: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [place]
  return [
    place,
    ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...place, key])),
  ]
}

function replaced(value: unknown, [key, ...rest]: string[], other: unknown): unknown {
  if (key === undefined) return other
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replaced(copy[key], rest, other)
  return copy
}

const ODD = [
  null,
  5,
  -1.5,
  true,
  '',
  'x'.repeat(300),
  '[',
  '{}',
  [],
  [[]],
  [null],
  {},
  { a: 1 },
  [5, 'a'],
]

test.for(SAMPLES.filter(({ content }) => typeof content !== 'string'))(
  'whatever stands wherever in a file of $format, it is read or told',
  ({ format, content }) => {
    const folder = foreignFolder()
    const places = placesIn(content)
    for (const [index, place] of places.entries())
      for (const odd of fc.sample(fc.constantFrom(...ODD), { numRuns: times(1, 3), seed: index })) {
        const changed = replaced(content, place, odd)
        folder.write('a.file', changed)
        const { recordings, unread } = folder.read({ from: format })
        expect(recordings.length + unread.length).toBe(1)
        for (const { reason } of unread) expect(reason).toMatch(/^a\.file /)
        folder.read()
        if (format !== 'vcr') continue
        folder.write('a.file', stringify(changed))
        folder.read({ from: format })
        folder.read()
      }
  },
)

test.for(SAMPLES)('a file of $format that breaks off anywhere is read or told', ({ content }) => {
  const folder = foreignFolder()
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  for (let end = 0; end < text.length; end += times(37, 7)) {
    folder.write('a.file', text.slice(0, end))
    const { recordings, unread } = folder.read()
    expect(recordings.length + unread.length).toBe(1)
  }
})

test('YAML that is too large to be held whole says so', async () => {
  const folder = foreignFolder({ 'a.yaml': `interactions:\n${'- # nothing\n'.repeat(3_000_000)}` })
  const { unread } = folder.read({ from: 'vcr' })
  expect(unread[0]!.reason).toContain(' 32 MB ')
  expect(unread[0]!.isBroken).toBe(true)
  await expectGolden(headOf(unread[0]!.reason), 'too-large')
})
