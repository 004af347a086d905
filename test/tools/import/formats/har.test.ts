import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { harEntries } from '../../../../src/tools/import/har-entries.ts'
import { expectGolden } from '../../../golden.ts'
import { foreignFolder, pieces, readOne, received, sent } from '../foreign-folder.ts'
import { leftOutAs, listOf } from '../left-out.ts'
import { headOf } from '../reasons.ts'
import { ASKED, CHAT, SAID, SAMPLES } from '../samples.ts'

const SAMPLE = SAMPLES[0]!.content as { log: { entries: [Entry] } }

interface Entry {
  request: Record<string, unknown>
  response: Record<string, unknown>
  [field: string]: unknown
}

/** A HAR file with one entry, which differs from the sample in some fields. */
function harOf(request: object, response: object = {}, others: object = {}): unknown {
  const [entry] = SAMPLE.log.entries
  return {
    log: {
      ...SAMPLE.log,
      entries: [
        {
          ...entry,
          request: { ...entry.request, ...request },
          response: { ...entry.response, ...response },
          ...others,
        },
      ],
    },
  }
}

function contentOf(content: object): unknown {
  return harOf({}, { content })
}

const SAID_TEXT = JSON.stringify(SAID)

test("a recording of Polly's has a name, a time, the request and the answer", () => {
  const { name, exchanges, leftOut } = readOne(SAMPLE)
  expect(name).toBe('A suite/says hello')
  expect(leftOut).toEqual(new Map())
  const [exchange] = exchanges
  expect(exchange).toMatchObject({
    request: { method: 'POST', url: CHAT, headers: [['content-type', 'application/json']] },
    response: { status: 200, headers: [['content-type', 'application/json']] },
    time: '2026-01-01T10:00:00.000Z',
    durationMs: 12,
  })
  expect(sent(exchange!)).toBe(JSON.stringify(ASKED))
  expect(received(exchange!)).toBe(SAID_TEXT)
  expect(exchange!.request.isRespelled).toBeUndefined()
})

test('the packed chunks of a body are unpacked, whatever its headers say', () => {
  const packed = gzipSync(SAID_TEXT)
  const chunks = [packed.subarray(0, 20), packed.subarray(20)]
  const text = JSON.stringify(chunks.map((chunk) => chunk.toString('base64')))
  const hex = JSON.stringify(chunks.map((chunk) => chunk.toString('hex')))
  for (const content of [
    { encoding: 'base64', text },
    { _isBinary: true, text: hex },
    { encoding: 'base64', text: packed.toString('base64') },
  ])
    expect(received(readOne(contentOf(content)).exchanges[0]!)).toBe(SAID_TEXT)
})

test('a body that is text stays one, though a header says that it is packed', () => {
  const headers = [
    { name: 'Content-Encoding', value: 'gzip' },
    { name: 'content-length', value: '7' },
    { name: ':status', value: '200' },
    { name: 'x-request-id', value: '1' },
  ]
  const [exchange] = readOne(harOf({}, { headers })).exchanges
  expect(exchange!.response.headers).toEqual([
    ['x-request-id', '1'],
    ['content-type', 'application/json'],
  ])
  expect(received(exchange!)).toBe(SAID_TEXT)
})

test('a stream is cut at its events', () => {
  const text = 'data: {"a":1}\n\n: comment\n\nevent: b\ndata: 2\n\ndata: [DONE]\n\n'
  const [exchange] = readOne(contentOf({ text })).exchanges
  expect(pieces(exchange!)).toEqual(text.split(/(?<=\n\n)/))
})

test('equal requests are in the order of their numbers', () => {
  const [entry] = SAMPLE.log.entries
  const one = (_id: string, _order: number, text: string): unknown => ({
    ...entry,
    _id,
    _order,
    response: { ...entry.response, content: { text } },
  })
  const entries = [one('a', 1, 'second'), one('b', 0, 'other'), one('a', 0, 'first')]
  const { exchanges } = readOne({ log: { entries } })
  expect(exchanges.map(received)).toEqual(['first', 'other', 'second'])
})

test('bodies are read from the files beside that Playwright writes', async () => {
  const folder = foreignFolder({
    'a/attached.har': harOf(
      { postData: { _file: 'request.json' } },
      { content: { _file: 'x.txt' } },
    ),
    'a/request.json': ASKED,
    'a/x.txt': 'from a file',
    'b/old.har': contentOf({ _sha1: '0123abcd.dat' }),
    'b/resources/0123abcd.dat': 'by its hash',
    'c/dangling.har': contentOf({ _file: 'gone.txt' }),
  })
  const { recordings, unread } = folder.read()
  expect(recordings.map(({ file }) => file)).toEqual([
    'a/attached.har',
    'b/old.har',
    'c/dangling.har',
  ])
  expect(sent(recordings[0]!.exchanges[0]!)).toContain('Hello?')
  expect(received(recordings[0]!.exchanges[0]!)).toBe('from a file')
  expect(received(recordings[1]!.exchanges[0]!)).toBe('by its hash')
  expect(recordings[2]!.exchanges).toEqual([])
  expect([...recordings[2]!.leftOut.values()]).toEqual([1])
  expect(unread).toEqual([])
  await expectGolden(listOf(recordings[2]!.leftOut), 'file-is-gone')
})

test.for(['../secret.txt', '/etc/hostname', 'link.txt', 'inner/../../secret.txt'])(
  '%s outside of the folder is not read',
  (name) => {
    const folder = foreignFolder({
      'recordings/a.har': contentOf({ _file: name }),
      'secret.txt': 'a secret',
    })
    symlinkSync(join(folder.path, 'secret.txt'), join(folder.path, 'recordings/link.txt'))
    const { recordings, unread } = folder.read({}, ['recordings'])
    expect(recordings).toEqual([])
    expect(unread.find(({ file }) => file === 'recordings/a.har')).toMatchObject({
      nearest: 'har',
      isBroken: true,
      reason: expect.stringContaining(JSON.stringify(name)) as string,
    })
  },
)

test('a HAR file with a path out of its folder is refused, with the path', async () => {
  const folder = foreignFolder({
    'recordings/path.har': contentOf({ _file: '../secret.txt' }),
    'recordings/through-link.har': contentOf({ _file: 'link.txt' }),
    'secret.txt': 'a secret',
  })
  symlinkSync(join(folder.path, 'secret.txt'), join(folder.path, 'recordings/link.txt'))
  const broken = folder.read({}, ['recordings']).unread.filter(({ isBroken }) => isBroken)
  expect(broken).toHaveLength(2)
  await expectGolden(broken.map(({ reason }) => headOf(reason)).join('\n\n'), 'outside-of-folder')
})

test('a file with a name of 300 characters is a missing file', () => {
  const { leftOut } = readOne(contentOf({ _file: 'n'.repeat(300) }))
  expect([...leftOut.keys()]).toEqual([leftOutAs('body in no file')])
})

test('a body is empty, or not in the file', () => {
  const bodyOf = (request: object): string | undefined =>
    sent(readOne(harOf({ postData: undefined, bodySize: undefined, ...request })).exchanges[0]!)
  expect(bodyOf({ method: 'GET' })).toBe('')
  expect(bodyOf({ method: 'POST', bodySize: 0 })).toBe('')
  expect(bodyOf({ method: 'POST', headers: [{ name: 'Content-Length', value: '0' }] })).toBe('')
  expect(bodyOf({ method: 'POST' })).toBeUndefined()
  const headers = [{ name: 'Content-Length', value: '280' }]
  expect(bodyOf({ method: 'POST', bodySize: 0, headers })).toBeUndefined()
  const nothing = { mimeType: 'application/json', text: '' }
  expect(bodyOf({ method: 'POST', bodySize: -1, postData: nothing })).toBeUndefined()
  expect(bodyOf({ method: 'POST', bodySize: 0, postData: nothing })).toBe('')
  expect(bodyOf({ method: 'POST', bodySize: 60 })).toBeUndefined()
  expect(bodyOf({ method: 'POST', bodySize: 60, postData: { mimeType: 'a/b' } })).toBeUndefined()
})

test.for([
  [{ content: { size: -1, mimeType: 'application/json' } }, false],
  [{ content: { size: 0, text: '' }, bodySize: 20 }, false],
  [{ content: { size: 20, text: '' } }, false],
  [{ content: {}, headers: [{ name: 'Content-Length', value: '20' }] }, false],
  [{ content: { size: 0, text: '' }, bodySize: 0 }, true],
  [{ content: { size: 0 }, bodySize: -1 }, true],
  [{ content: { size: -1 }, headers: [{ name: 'content-length', value: '0' }] }, true],
  [{ status: 204, content: { size: -1 } }, true],
] as const)('an answer %j is empty, and not dropped: %s', ([response, isEmpty]) => {
  const { exchanges, leftOut } = readOne(harOf({}, { headers: [], ...response }))
  expect(exchanges.map(received)).toEqual(isEmpty ? [''] : [])
  const reason = leftOutAs('unheld body')
  expect([...leftOut.keys()]).toEqual(isEmpty ? [] : [reason])
})

test('a file beside is read though there is an empty text', () => {
  const folder = foreignFolder({
    'a.har': harOf({ postData: { text: '', _file: 'a.json' } }),
    'a.json': ASKED,
  })
  expect(sent(folder.read().recordings[0]!.exchanges[0]!)).toContain('Hello?')
})

test('the fields of a form are a body that is spelled anew', () => {
  const postData = {
    mimeType: 'application/x-www-form-urlencoded; charset=utf-8',
    params: [{ name: 'a', value: 'b c' }, { name: 'd' }],
  }
  const [exchange] = readOne(harOf({ postData })).exchanges
  expect([sent(exchange!), exchange!.request.isRespelled]).toEqual(['a=b+c&d=', true])
})

test('what is no exchange is counted', async () => {
  const entries = [
    { request: { method: 'GET', url: 'wss://api.openai.com/v1/realtime' } },
    { request: { method: 'GET', url: CHAT }, _webSocketMessages: [] },
    { request: { method: 'GET', url: CHAT }, response: { status: 0 } },
    { request: { method: 'GET', url: CHAT } },
    { request: { method: 'GET', url: CHAT }, response: { status: 200, content: { size: 9 } } },
    { request: { method: 'GET', url: CHAT }, response: { status: 204 } },
  ]
  const { exchanges, leftOut } = readOne({ log: { entries } })
  expect(exchanges).toHaveLength(1)
  expect([...leftOut.values()]).toEqual([2, 2, 1])
  await expectGolden(listOf(leftOut), 'no-exchanges')
})

test('what is not kept is not decoded, and is counted', () => {
  const broken = contentOf({ encoding: 'base64', text: 'no base64!' })
  const { exchanges, leftOut } = readOne(broken, 'a.har', {
    keep: ({ url }) => url !== CHAT || 'a call of another host',
  })
  expect([exchanges, leftOut]).toEqual([[], new Map([['a call of another host', 1]])])
})

test('an error names the place', async () => {
  const reasonOf = (content: unknown): string =>
    foreignFolder({ 'a.har': content }).read().unread[0]!.reason
  const broken: Array<[what: string, content: unknown, names: string[]]> = [
    [
      'no base64',
      contentOf({ encoding: 'base64', text: 'no base64!' }),
      ['a.har ', ' /log/entries/0/response/content/text,', ' base64 ', '"no base64!"'],
    ],
    ['no address', harOf({ url: 17 }), [' /log/entries/0/request/url,', ' 17']],
    ['no entry', { log: { entries: [5] } }, [' /log/entries/0,', ' 5']],
    ['no status', harOf({}, { status: 1000 }), [' /log/entries/0/response/status,', ' 1000']],
    ['half of an entry', '{"log":{"entries":[{"request":{"url":"ht', [' entry 1']],
    ['broken JSON in an entry', '{"log":{"entries":[{"request":{]}}]}}', [' JSON ']],
    ['broken JSON around them', '{"log":{"entries":[]}', [' JSON ']],
  ]
  const told = broken.map(([what, content, names]) => {
    const reason = reasonOf(content)
    for (const name of names) expect(reason, what).toContain(name)
    return `${what}\n${headOf(reason)}`
  })
  await expectGolden(told.join('\n\n'), 'places-of-errors')
})

test('entries are those that JSON has, wherever the file is cut into blocks', () => {
  const entry = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 4 }),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(0, 2),
      (entries, log, size, indent) => {
        const value = { log: { ...log, entries, pages: [{ entries: [1] }] }, entries: [{}] }
        const bytes = Buffer.from(`\ufeff${JSON.stringify(value, null, indent)}`)
        const reading = harEntries({ name: 'a.har', blocks: () => blocksOf(bytes, size) })
        const found: unknown[] = []
        let next = reading.next()
        for (; !next.done; next = reading.next()) found.push(next.value.value)
        // Through JSON, which knows neither -0 nor undefined.
        expect(JSON.stringify(found)).toBe(JSON.stringify(entries))
        const { entries: places, ...others } = next.value.object()
        expect(places).toEqual(entries.map(() => null))
        const { entries: _, ...expected } = value.log as Record<string, unknown>
        expect(JSON.stringify(others)).toBe(JSON.stringify(expected))
      },
    ),
  )
})

function* blocksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('how much has been read is told', () => {
  const told: number[] = []
  const folder = foreignFolder({ 'a.har': contentOf({ text: 'x'.repeat(2_500_000) }) })
  folder.read({ onProgress: ({ name }, read) => void (name === 'a.har' && told.push(read)) })
  expect(told.length).toBeGreaterThan(2)
  expect(told).toEqual(told.toSorted((one, other) => one - other))
})

test('the type of an answer is that of its content where no header tells it', () => {
  const headersOf = (mimeType: string, headers: object[]): unknown =>
    readOne(harOf({}, { headers, content: { mimeType, text: SAID_TEXT } })).exchanges[0]!.response
      .headers
  const told = { name: 'Content-Type', value: 'text/plain' }
  expect(headersOf('application/json', [])).toEqual([['content-type', 'application/json']])
  expect(headersOf('application/json', [told])).toEqual([['Content-Type', 'text/plain']])
  expect(headersOf('x-unknown', [])).toEqual([])
})
