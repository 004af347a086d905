import { expect, test } from 'vitest'
import { baseUrlFrom } from '../../../src/transports/gateway/base-url-from.ts'

const UPSTREAM = 'https://api.openai.com/v1'
const TOKEN = '0d4e6b1e-37a2-4c55-9d0c-6a2c3f3b9f10'

test.for([`http://127.0.0.1:4242/${TOKEN}`, `http://[::1]:4242/${TOKEN}`])(
  'the gateway of a test is asked: %s',
  (base) => {
    const expected = `${base}/https/api.openai.com/v1`
    expect(baseUrlFrom({ 'x-vitest-cassette': base }, UPSTREAM)).toBe(expected)
    expect(baseUrlFrom(new Headers({ 'X-Vitest-Cassette': base }), UPSTREAM)).toBe(expected)
  },
)

test('a cookie says the same, as to a WebSocket no header can be added in every browser', () => {
  const expected = `http://127.0.0.1:4242/${TOKEN}/https/api.openai.com/v1`
  for (const cookie of [
    `x-vitest-cassette=http://127.0.0.1:4242/${TOKEN}`,
    `a=1; x-vitest-cassette=http://127.0.0.1:4242/${TOKEN}; b=2`,
  ]) {
    expect(baseUrlFrom({ cookie }, UPSTREAM)).toBe(expected)
    expect(baseUrlFrom(new Headers({ cookie }), UPSTREAM)).toBe(expected)
    const header = 'http://127.0.0.1:1/b'
    expect(baseUrlFrom({ cookie, 'x-vitest-cassette': header }, UPSTREAM)).toBe(
      `${header}/https/api.openai.com/v1`,
    )
  }
})

test.for([
  'https://evil.example.com/steal',
  'http://127.0.0.1.evil.example.com:80/steal',
  'http://127.0.0.1:80@evil.example.com/steal',
  `http://127.0.0.1:4242/${TOKEN}/https/evil.example.com`,
  `http://127.0.0.1:4242/${TOKEN}?to=evil`,
  'http://localhost:4242/a',
  'http://127.0.0.1:4242',
  '',
])('a header that names no gateway of this machine leads a key nowhere: %s', (given) => {
  expect(baseUrlFrom({ 'x-vitest-cassette': given }, UPSTREAM)).toBe(UPSTREAM)
  expect(baseUrlFrom({ cookie: `x-vitest-cassette=${given}` }, UPSTREAM)).toBe(UPSTREAM)
  expect(baseUrlFrom({ cookie: `not-x-vitest-cassette=http://127.0.0.1:1/a` }, UPSTREAM)).toBe(
    UPSTREAM,
  )
})

test('without the header, and with several, the provider is asked, or the first gateway', () => {
  expect(baseUrlFrom({}, UPSTREAM)).toBe(UPSTREAM)
  expect(baseUrlFrom(new Headers(), UPSTREAM)).toBe(UPSTREAM)
  expect(
    baseUrlFrom(
      { 'x-vitest-cassette': [`http://127.0.0.1:1/a`, 'http://127.0.0.1:2/b'] },
      UPSTREAM,
    ),
  ).toBe('http://127.0.0.1:1/a/https/api.openai.com/v1')
})
