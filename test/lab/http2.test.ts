import { expect, test } from 'vitest'
import { scenario, whole } from './lab.ts'

const RECORDED = [
  'asks with a connection of its own',
  'converses',
  'invokes a model',
  'streams a conversation',
]
const ALL = [
  ...RECORDED,
  'speaks HTTP/2 to a server that is no provider',
  'speaks gRPC to a server that is no provider',
].toSorted()

scenario('http2', (made) => {
  test('requests over HTTP/2 are recorded, one cassette per test, and other servers are left alone', () => {
    expect(made('record').titles('passed')).toEqual(ALL)
    expect(made('record').titles('failed')).toEqual([])
    expect(made('record').cassettes).toHaveLength(RECORDED.length)
  })

  test('connecting over HTTP/2 is not reported as an unrecorded request', () => {
    const [, ...warnings] = whole('record').output.split('stderr | ')
    const own = warnings.filter((text) => text.startsWith('bedrock.test.ts'))
    expect(own).toEqual([])
  })

  test.for([
    ['from the recorded URL', 'replay'],
    ["from the provider's own host, which is never looked up", 'threads'],
  ] as const)('requests over HTTP/2 replay without a provider: %s', ([, run]) => {
    expect(made(run).titles('passed')).toEqual(ALL)
    expect(made(run).titles('failed')).toEqual([])
    expect(made(run).replayed).toBe(5)
  })

  test("the run with the provider's own host finds no other URL in its recordings", () => {
    const { cassettes } = made('threads')
    const urls = cassettes.flatMap((path) =>
      made('threads')
        .json(path)
        .exchanges.map(({ request }: any) => new URL(request.url).host),
    )
    expect([...new Set(urls)].toSorted()).toEqual([
      'api.openai.com',
      'bedrock-runtime.us-east-1.amazonaws.com',
    ])
  })

  test.for([
    ['converses', 'are you?', 'do you do?'],
    ['streams a conversation', 'ten', 'two'],
  ])('a changed prompt over HTTP/2 fails its test: %s', ([title, before, after]) => {
    expect(made('changed').code(title!)).toBe('miss')
    expect(made('changed').changes(title!)).toEqual([{ place: 'message 1 user', before, after }])
  })

  test('an SDK over HTTP/2 sends a changed prompt once, and tries no second time', () => {
    for (const title of ['converses', 'streams a conversation', 'is not recorded'])
      expect(made('changed').test(title).cassette.misses).toBe(1)
  })

  test('a request over HTTP/2 in a test without a cassette is a miss without a closest exchange', () => {
    expect(made('changed').code('is not recorded')).toBe('miss')
    expect(made('changed').test('is not recorded').cassette.missed![0]).not.toHaveProperty(
      'exchange',
    )
  })

  test('a two-way stream is refused, with the reason', async () => {
    expect(made('changed').code('opens a two-way stream')).toBe('refused')
    await expect(made('changed').text('opens a two-way stream')).toMatchFileSnapshot(
      'golden/http2/two-way-stream.txt',
    )
  })

  test('verify finds nothing in recordings of HTTP/2', async () => {
    expect(await made('record').findings()).toEqual([])
  })
})
