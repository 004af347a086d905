import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { expect, test } from 'vitest'
import { FOREIGN_FORMATS } from '../../../src/tools/import/formats/all.ts'
import { times } from '../../effort.ts'
import { foreignFolder, readOne } from './foreign-folder.ts'
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

test('a packed file that is broken is told', () => {
  const packed = gzipSync(JSON.stringify(SAMPLES[1]!.content).padEnd(2000)).subarray(0, 120)
  const { unread } = foreignFolder({ 'a.json.gz': packed }).read({ from: 'nock' })
  expect(unread).toMatchObject([
    { isBroken: true, reason: expect.stringContaining('packed with gzip, and broken') as string },
  ])
})

test('every format has a sample', () => {
  expect(SAMPLES.map(({ format }) => format)).toEqual(FOREIGN_FORMATS.map(({ name }) => name))
})

test('a folder is read whole, in order of names, without folders of packages', () => {
  const folder = foreignFolder({
    'b.json': SAMPLES[1]!.content,
    'a/c.har': SAMPLES[0]!.content,
    'node_modules/x/d.har': SAMPLES[0]!.content,
    '.git/e.har': SAMPLES[0]!.content,
  })
  symlinkSync(join(folder.path, 'b.json'), join(folder.path, 'link.json'))
  const { recordings, unread } = folder.read()
  expect(recordings.map(({ file }) => file)).toEqual(['a/c.har', 'b.json'])
  expect(unread).toEqual([{ file: 'link.json', reason: 'it is a link, which is not followed' }])
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

test('what is not read is named, with the reason and the nearest format', () => {
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
  const nothing = { reason: 'it has nothing of any format' }
  const trace = {
    nearest: 'a trace',
    isBroken: true,
    reason: expect.stringContaining('it is a trace without spans') as string,
  }
  expect(of).toMatchObject({
    'our own.json': { reason: expect.stringContaining('a cassette of this package') as string },
    'otlp.json': trace,
    'langfuse.json': trace,
    'wiremock.json': { reason: 'it holds stubs of WireMock, which are not read' },
    'package.json': nothing,
    'half.json': {
      nearest: 'aimock',
      isBroken: true,
      reason: expect.stringContaining('it is broken JSON') as string,
    },
    'lines.log': nothing,
    'readme.md': nothing,
    'picture.png': nothing,
    'archive.zip': { reason: expect.stringContaining('unpack it, and name the folder') as string },
    'grpc.yaml': { reason: expect.stringContaining('gRPC') as string },
    'sdk.yaml': { reason: expect.stringContaining('Claude Agent SDK') as string },
    'empty.txt': nothing,
  })
  expect(unread).toHaveLength(13)
})

test('a file that is broken stops no other', () => {
  const { recordings, unread } = foreignFolder({
    'a.har': '{"log":{"entries":[{}]}}',
    'b.har': SAMPLES[0]!.content,
  }).read()
  expect(recordings.map(({ file }) => file)).toEqual(['b.har'])
  expect(unread).toMatchObject([{ file: 'a.har', nearest: 'har', isBroken: true }])
})

test('a format can be told, and is not asked then', () => {
  const config = { anything: [1] }
  const { recordings } = foreignFolder({ 'a.json': config }).read({ from: 'answers' })
  expect(recordings).toMatchObject([{ format: 'answers', exchanges: [{}] }])
  const { unread } = foreignFolder({ 'a.json': config }).read({ from: 'nock' })
  expect(unread).toMatchObject([{ nearest: 'nock', isBroken: true }])
  expect(unread[0]!.reason).toContain('at its top, a list is expected, and there is an object')
})

test('a format or a file that there is not is refused', () => {
  const folder = foreignFolder()
  expect(() => folder.read({ from: 'nok' })).toThrow("There is no format 'nok'. Did you mean nock?")
  expect(() => folder.read({}, ['gone.har'])).toThrow('There is no file gone.har.')
})

test('a text that is no UTF-8 is told', () => {
  const { unread } = foreignFolder({
    'a.json': Buffer.concat([Buffer.from('{"fixtures": [{"match": "'), Buffer.from([0xff])]),
  }).read()
  expect(unread).toMatchObject([
    {
      nearest: 'aimock',
      isBroken: true,
      reason: expect.stringContaining('no text in UTF-8') as string,
    },
  ])
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
        for (const { reason } of unread) expect(reason).toMatch(/a\.file cannot be read: /)
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

test('YAML that is too large to be held whole says so', () => {
  const folder = foreignFolder({ 'a.yaml': `interactions:\n${'- # nothing\n'.repeat(3_000_000)}` })
  const { unread } = folder.read({ from: 'vcr' })
  expect(unread[0]!.reason).toContain(
    'it has more than 32 MB of YAML, which is held whole: divide it',
  )
  expect(unread[0]!.isBroken).toBe(true)
})
