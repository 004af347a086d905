import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Cassette, RecordedExchange } from '../../src/cassette/cassette.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { Matcher } from '../../src/engine/match.ts'
import { judgeAttempt } from '../explain/as-reported.ts'
import { Attempt } from '../../src/attempt/attempt.ts'
import { answer } from '../../src/transports/answer.ts'
import { layers } from '../../src/transports/layers.ts'
import * as hashing from '../../src/prompt/canonical.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { onlyReplayed } from '../../src/engine/adopt.ts'
import { expectGolden } from '../golden.ts'

const CHAT = 'https://api.openai.com/v1/chat/completions'
const ONE = recorded([question('a'), 'one'])
const TWO = recorded([question('a'), 'one'], [question('b'), 'two'])

let server: Server
let url: string

beforeAll(async () => {
  server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ message: { content: 'live' } }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`
})
afterAll(() => void server.close())

/** Asks a test with a cassette, as the entrance of fetch does with a posted text. */
function ask(
  text: string,
  cassette: Cassette | undefined,
  options: CassetteOptions = {},
  to = CHAT,
) {
  const config = resolveConfig(options, { ci: false, recordInCi: false })
  const session = openExample(cassette, options)
  const engine = vi.fn(layers.engine)
  const owner = {
    root: '/',
    test: () => session.test,
    path: () => 'a.json',
    hasCassette: () => true,
    shown: (path: string) => path,
  }
  const open = { session, owner, another: () => open }
  const attempt = new Attempt(owner, config, {
    open: () => open,
    onlyReplayed,
    close: async () => ({}),
  })
  const request = { method: 'POST', url: to, headers: new Headers(), body: text }
  const again = () => answer(request, { scope: attempt, order: 1 }, config, { ...layers, engine })
  return { answered: again(), session, engine, text, again }
}

const posted = (content: string, more: object = {}): string =>
  JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }], ...more })

test('what is recorded word for word is answered at once, and loads no engine', async () => {
  const { answered, engine, session } = ask(posted('a'), ONE)
  expect(answered).toBeInstanceOf(Response)
  expect(await ((await answered) as Response).json()).toMatchObject({
    choices: [{ message: { content: 'one' } }],
  })
  expect(engine).not.toHaveBeenCalled()
  expect(onlyReplayed(session)).toBe(true)
})

test.each<[string, string, Cassette | undefined, CassetteOptions, number, number]>([
  ['replayed word for word', 'a', ONE, {}, 0, 200],
  // The recorded ones too.
  ['replayed by its hash', 'b', TWO, { unordered: true }, 3, 200],
  ['missed', 'b', undefined, {}, 1, 400],
  // What is kept is hashed when it is kept.
  ['recorded', 'c', undefined, { mode: 'all' }, 0, 200],
])(
  'a request that is %s is read once, looked up once, and hashed once at most',
  async (_, text, cassette, options, hashes, status) => {
    const body = posted(text)
    const hash = vi.spyOn(hashing, 'hashRequest')
    const parse = vi.spyOn(JSON, 'parse')
    const next = vi.spyOn(Matcher.prototype, 'next')
    // The provider listens in this process, where it is otherwise a server under test.
    const live = options.mode ? { hosts: [new URL(url).host] } : {}
    const { answered, session } = ask(
      body,
      cassette,
      { ...options, ...live },
      options.mode ? url : CHAT,
    )
    const response = await answered
    await session.waitForAnswers()
    const parsed = parse.mock.calls.filter(([json]) => json === body).length
    const lookedUp = next.mock.calls.length
    const hashed = hash.mock.calls.length
    for (const spy of [parse, next, hash]) spy.mockRestore()
    expect(response!.status).toBe(status)
    expect(parsed).toBe(1)
    expect(hashed).toBe(hashes)
    expect(lookedUp).toBe(options.mode === 'all' ? 0 : 1)
  },
)

test('a recorded error lets an SDK try again at once, whatever the provider said', async () => {
  const busy = structuredClone(ONE)
  const { response } = (busy.exchanges[0] as RecordedExchange).wire
  Object.assign(response, { status: 429, headers: { ...response.headers, 'retry-after': '20' } })
  const headersOf = async (cassette: Cassette, options?: CassetteOptions) => {
    const { status, headers } = (await ask(posted('a'), cassette, options).answered)!
    return [status, headers.get('retry-after'), headers.get('retry-after-ms')]
  }
  expect(await headersOf(busy)).toEqual([429, '0', '1'])
  expect(await headersOf(ONE)).toEqual([200, null, null])
  expect(await headersOf(ONE, { faults: [{ status: 429, retryAfter: 7 }] })).toEqual([
    429,
    '7',
    null,
  ])
  expect(response.headers).toMatchObject({ 'retry-after': '20' })
})

test.each([
  ['another prompt', posted('b')],
  ['a body nested too deeply', '['.repeat(9_999)],
])('%s is refused, and the test hears of it', async (_, text) => {
  const { answered, session } = ask(text, ONE)
  expect((await answered)!.status).toBe(400)
  expect(session.misses.length > 0 || session.fault !== undefined).toBe(true)
})

test.each(['{"text":"Hello"}', '{}', '[]', 'Hello', posted('b')])(
  "what is posted to a provider's path at any host is a call: %s",
  async (text) => {
    const to = 'http://localhost:3000/v1/chat/completions'
    const { answered, session } = ask(text, ONE, {}, to)
    expect((await answered)!.status).toBe(400)
    expect(session.misses).toHaveLength(1)
    const allowed = ask(text, ONE, { allowHosts: ['localhost:3000'] }, to)
    expect(allowed.answered).toBeUndefined()
    expect(allowed.session.wasAsked).toBe(false)
  },
)

test('whatever is asked at an address that the cassette holds is a call', async () => {
  const to = 'http://localhost:3000/own/ask'
  const cassette = structuredClone(ONE)
  ;(cassette.exchanges[0] as RecordedExchange).wire.request.url = to
  for (const [text, status] of Object.entries({ [posted('a')]: 200, '{}': 400, Hello: 400 }))
    expect((await ask(text, cassette, {}, to).answered)?.status).toBe(status)
  for (const at of ['http://localhost:3000/own/other', 'http://example.com/own/ask'])
    expect(ask('{}', cassette, {}, at).answered).toBeUndefined()
})

test('an answer that cannot be written is an error of ours, however often its client asks again', async () => {
  const [exchange] = recorded([question('a'), 'one']).exchanges as RecordedExchange[]
  const broken = {
    toJSON() {
      throw new Error('no such piece')
    },
  }
  exchange!.wire.response.body = { kind: 'json', value: broken as never, layout: {} }
  const cassette = { ...ONE, exchanges: [exchange!] }
  const { answered, session, again } = ask(posted('a'), cassette)
  expect((await answered)!.status).toBe(400)
  await again()
  const { failure } = judgeAttempt(session, { passed: true, now: new Date(0), color: false })
  expect(failure).toMatchObject({ code: 'internal' })
  expect(`${failure!.headline} ${failure!.details}`).toContain('no such piece')
  await expectGolden(`${failure!.headline}\n\n${failure!.details}`, 'cannot-be-written')
})

test('a rule for what is secret says what is compared', async () => {
  const { answered } = ask(posted('a'), ONE, { redact: [/"?a"?/] })
  expect((await answered)!.status).toBe(400)
})
