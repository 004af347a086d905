import { expect, test } from 'vitest'
import { References } from '../../src/cassette/format/references.ts'
import { scenario } from './lab.ts'

const TESTS = [
  'Gemini Live',
  'a socket that is refused at the door',
  'globalThis.WebSocket',
  'the responses API of the SDK',
  'the ws package',
  'two conversations that differ in their beginning, in any order',
]

scenario('websocket', (made) => {
  test('sockets are recorded, one cassette for each test', () => {
    expect(made('record').titles('passed')).toEqual(TESTS)
    expect(made('record').cassettes).toHaveLength(TESTS.length)
  })

  test.for(['replay', 'threads', 'vmThreads', 'vmForks'] as const)(
    'sockets are replayed without their providers, in the run "%s"',
    (run) => {
      expect(made(run).titles('passed')).toEqual(TESTS)
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).replayed).toBe(24)
    },
  )

  test('verify finds nothing in recordings of sockets', async () => {
    expect(await made('record').findings()).toEqual([])
  })

  test('each frame of the client is an exchange that follows the one before', () => {
    const wires = made('record')
      .exchanges('gemini-live')
      .map(({ id, request, response }) => [
        id,
        request.method,
        request.after,
        (response.sent.lines ?? []).flatMap(References.spread).length,
      ])
    expect(wires).toEqual([
      ['exchange-1', 'GET', undefined, 0],
      ['exchange-2', 'SEND', 'exchange-1', 1],
      ['exchange-3', 'SEND', 'exchange-2', 3],
    ])
  })

  test('every frame reads as what it says', () => {
    const texts = (slug: string): unknown[] =>
      made('record')
        .exchanges(slug)
        .map(({ prompt, response }) => [prompt.text, response.text])
    expect(texts('the-ws-package')).toEqual([
      ['GET /v1/realtime', ''],
      ['Hello', ''],
      ['SEND response.create', 'You said: Hello'],
      ['Again', ''],
      ['SEND response.create', 'You said: Again'],
    ])
    expect(texts('the-responses-api')).toEqual([
      ['GET /v1/responses', ''],
      ['Hello', 'You said: Hello'],
    ])
    expect(texts('gemini-live')).toEqual([
      [expect.stringContaining('BidiGenerateContent'), ''],
      ['SEND setup', ''],
      ['Hello', 'You said: Hello'],
    ])
    const [, , answered] = made('record').exchanges('gemini-live')
    expect(answered.response).toMatchObject({ finish_reasons: ['turnComplete'] })
    expect(answered.response).not.toHaveProperty('incomplete')
  })

  test('a socket is one conversation, whatever else is open', async () => {
    const { out } = await made('record').cli('show', 'two-conversations', '--no-emoji')
    const [, one, two] = out.split(/--- thread-\d of 2.*---/)
    expect([...one!.matchAll(/(?:You said: .*|I am \w+|Same)$/gm)].map(String)).toEqual([
      'I am one',
      'You said: I am one',
      'Same',
      'You said: Same',
    ])
    expect(two).toContain('You said: I am two')
    expect(out).not.toMatch(/\(nothing\)|"type"/)
  })

  test('no key of a URL, a header or a protocol is stored', () => {
    for (const text of Object.values(made('record').after)) expect(text).not.toMatch(/secret/)
  })

  test('a frame that differs is a miss: the socket closes at once, and the test fails with the change', async () => {
    expect(made('changed').code('the ws package')).toBe('miss')
    expect(made('changed').changes('the ws package')).toEqual([
      { place: 'message 1 user', before: 'Again', after: 'Anew' },
    ])
    expect(made('changed').test('the ws package').cassette).toMatchObject({
      replayed: 3,
      misses: 1,
    })
    await expect(made('changed').text('the ws package')).toMatchFileSnapshot(
      'golden/websocket/changed-frame.txt',
    )
  })

  test.for(['the ws package', 'globalThis.WebSocket'])(
    'a socket that nobody recorded is closed at once, and is a miss without a closest exchange: %s',
    (name) => {
      const title = `nobody recorded ${name}`
      expect(made('changed').code(title)).toBe('miss')
      expect(made('changed').test(title).cassette.missed![0]).not.toHaveProperty('exchange')
    },
  )

  test('RECORD=new cannot continue a socket that is replayed, and says so', async () => {
    expect(made('new').titles('failed')).toEqual(['the ws package'])
    expect(made('new').exchanges('the-ws-package')).toEqual(
      made('record').exchanges('the-ws-package'),
    )
    await expect(made('new').text('the ws package')).toMatchFileSnapshot(
      'golden/websocket/new-frame.txt',
    )
  })
})

scenario('websocket-hosts', (made) => {
  test('a socket to a host of the options keeps no test waiting', () => {
    expect(made('replay').titles('failed')).toEqual([])
    expect(made('replay').titles('passed')).toHaveLength(5)
    expect(made('replay').after).toEqual(made('replay').before)
  })
})
