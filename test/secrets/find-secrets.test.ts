import { expect, test } from 'vitest'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { findSecrets, type FoundSecret, scanAhead } from '../../src/secrets/find-secrets.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import type { Body } from '../../src/wire/body.ts'
import { exampleExchange } from '../cassette/example-cassette.ts'
import { credentials } from '../reliability/credentials.ts'
import { bodyOfEvents } from './spelled-in.ts'

const key = credentials.find(({ issuer }) => issuer === 'Anthropic')!.value
const masked = `sk-${'ant-…'} (108 characters)`.replace('ant-', 'ant')

async function find(request: JsonValue, response?: Body): Promise<FoundSecret[]> {
  const exchanges = [exampleExchange(1, request, response)]
  const { stored } = encodeCassette(
    { conversationId: 'a', timestamp: '2026-01-02T03:04:05.000Z', exchanges },
    '',
  )
  return (await findSecrets(stored, exchanges)).secrets
}

test('a credential is named by its place, its rule and its first characters', async () => {
  const found = await find({ messages: [{ content: 'Hello' }, { content: `Mine is ${key}.` }] })
  expect(found).toEqual([
    { pointer: '/exchanges/0/request/body/messages/1/content', rule: 'anthropic', masked },
  ])
})

test.for([
  ['as a key', { [key]: true }],
  ['in JSON that is a text', { arguments: JSON.stringify({ deep: JSON.stringify({ key }) }) }],
  ['with escapes of letters', { text: key.replaceAll('-', '\\u002d') }],
  ['in a URL', { text: `https://a.io/?q=${encodeURIComponent(`{"k":"${key}"}`)}` }],
  ['in base64', { text: Buffer.from(`user:${key}`).toString('base64') }],
  ['behind what switches another scanner off', { text: `/* secretlint-disable */ ${key}` }],
] as Array<[string, JsonValue]>)('it is found %s', async ([, request]) => {
  expect(await find(request)).toMatchObject([{ rule: 'anthropic', masked }])
})

test('a credential is found in an answer that streams, wherever it is cut', async () => {
  const pieces = ['It is ', key.slice(0, 9), key.slice(9, 50), key.slice(50), '.']
  expect(await find({}, bodyOfEvents(pieces))).toEqual([
    { pointer: '/exchanges/0/response/sent/events', rule: 'anthropic', masked },
  ])
})

test('a shapeless one is found by its name', async () => {
  const { value } = credentials.find(({ issuer }) => issuer === 'Azure OpenAI')!
  const found = [{ rule: 'named-credential' }]
  expect(await find({ text: `AZURE_OPENAI_API_KEY=${value}` })).toMatchObject(found)
  expect(await find({ tool: { apiKey: value } })).toMatchObject(found)
  expect(await find({ tool: { id: value } })).toEqual([])
})

test.for([
  'AKIAIOSFODNN7EXAMPLE',
  'OPENAI_API_KEY=<REDACTED:OPENAI_API_KEY>',
  // `bob:<REDACTED:SHOP_PASSWORD>`, as a known password is replaced in it.
  'Authorization: Basic Ym9iOjxSRURBQ1RFRDpTSE9QX1BBU1NXT1JEPg',
  'postgres://user:password@localhost:5432/app',
  'export ANTHROPIC_API_KEY="sk-ant-api03-your-key-here"',
  '"max_tokens": 12345678901234567890, "token_count": "00000000000000000000"',
  'const apiKey = process.env.MY_SERVICE_API_KEY_2',
  '{"max_clicks":100,"password":"","url":"https://zip1.io/short/"}',
  '{"statsig_token":"hex","prompt":"Help"}',
  "{max:100,password:'',url:'https://zip1.io/short/'}",
])('what documentation says is no credential: %s', async (text) => {
  expect(await find({ text })).toEqual([])
})

test.for([
  ['a known value', 'q8Zr2LmT0vYw7Kc4Nd6Xp1Bs', { A_SECRET: 'q8Zr2LmT0vYw7Kc4Nd6Xp1Bs' }],
  ['one with the mark of an issuer', key, {}],
] as Array<[string, string, Record<string, string>]>)(
  'one that is split over the frames of a client is found: %s',
  ([, value, env]) => {
    const pieces = [value.slice(0, 9), value.slice(9, 15), value.slice(15)]
    const frames = (texts: readonly string[]): FoundSecret[] => {
      const exchanges = texts.map((delta, index) => {
        const exchange = exampleExchange(index + 1, { type: 'append', item: { delta } })
        const after = index > 0 ? { after: `exchange-${index}` } : {}
        const request = { ...exchange.wire!.request, method: 'SEND', ...after }
        return { ...exchange, wire: { ...exchange.wire!, request } }
      })
      const cassette = { conversationId: 'a', timestamp: '2026-01-02T03:04:05.000Z', exchanges }
      return findSecrets(encodeCassette(cassette, '').stored, exchanges, env).secrets
    }
    expect(frames(pieces)).toMatchObject([{ pointer: '/exchanges/0/request/body' }])
    expect(frames(pieces.toReversed())).toEqual([])
  },
)

test('what was scanned ahead is found all the same, also by a value that the environment has since', async () => {
  const own = 'Zq7-vK2p9xR4tB8nW3m'
  const body = { kind: 'json', value: { a: `Mine is ${key}.`, b: own }, layout: {} } as const
  const exchanges = [exampleExchange(1, body.value)]
  const file = { conversationId: 'a', timestamp: '2026-01-02T03:04:05.000Z', exchanges }
  const { stored } = encodeCassette(file)
  const rulesBy = (env: Record<string, string>): string[] =>
    findSecrets(stored, exchanges, env).secrets.map(({ rule }) => rule)
  scanAhead(body, {})
  expect(rulesBy({})).toEqual(['anthropic'])
  expect(rulesBy({ ACME_API_KEY: own })).toEqual(['anthropic', 'value-of-your-environment'])
  scanAhead(body, { ACME_API_KEY: own })
  expect(rulesBy({ ACME_API_KEY: own })).toEqual(['anthropic', 'value-of-your-environment'])
})
