import { expect, test, vi } from 'vitest'
import { STAND_IN_KEY } from '../../src/providers/stand-in-keys.ts'
import { keptUrl, wireRequest } from '../../src/secrets/wire-request.ts'

const ADDRESS = 'https://llm.example.com/v1/ask'

test('a credential of this machine is kept nowhere, whatever the parameter is called', () => {
  vi.stubEnv('SOME_API_KEY', 'value-of-this-machine')
  vi.stubEnv('SOME_REGION', 'region-of-this-machine')
  const kept = keptUrl(`${ADDRESS}?pass_on=value-of-this-machine`)
  expect(kept).toBe(keptUrl(`${ADDRESS}?pass_on=${STAND_IN_KEY}`))
  expect(kept).toBe(`${ADDRESS}?pass_on=REDACTED`)
  expect(keptUrl(`${ADDRESS}?pass_on=region-of-this-machine`)).not.toBe(kept)
  vi.unstubAllEnvs()
})

test('any other value counts by its digest', () => {
  const kept = keptUrl(`${ADDRESS}?keyword=one`)
  expect(kept).toMatch(/\?keyword=[0-9a-f]{12}$/)
  expect(kept).not.toBe(keptUrl(`${ADDRESS}?keyword=other`))
})

const KEYS = ['sk-proj-9fKq2LmZ8vT4xWc7', 'sk-proj-3hJd6RnB1yP5uGa0', STAND_IN_KEY]
const config = (key: string, model = 'small'): string => JSON.stringify({ model, key })

test.for<[form: string, spell: (key: string, rest?: string) => string]>([
  ['between other words', (key, rest = 'def') => `abc.${key}.${rest}`],
  ['twice', (key, rest = 'def') => `${key} ${rest} ${key}`],
  ['in JSON', config],
  ['encoded twice', (key, rest) => encodeURIComponent(config(key, rest))],
  ['with each letter encoded', (key, rest = 'def') => `${spellOut(key)}.${rest}`],
  ['in base64', (key, rest) => Buffer.from(config(key, rest)).toString('base64')],
  ['in base64url', (key, rest) => Buffer.from(config(key, rest)).toString('base64url')],
])('of a value that holds a credential %s, the rest counts by its digest', ([, spell]) => {
  const kept = KEYS.map((key) => {
    vi.stubEnv('SOME_API_KEY', key)
    return keptUrl(`${ADDRESS}?config=${encodeURIComponent(spell(key))}`)
  })
  vi.stubEnv('SOME_API_KEY', KEYS[0])
  const other = keptUrl(`${ADDRESS}?config=${encodeURIComponent(spell(KEYS[0]!, 'other'))}`)
  vi.unstubAllEnvs()
  expect(kept[0]).toMatch(/\?config=[0-9a-f]{12}$/)
  expect(new Set(kept)).toHaveLength(1)
  expect(other).not.toBe(kept[0])
})

function spellOut(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')
}

test('a credential that the request itself carries does not count in another of its values', () => {
  const asked = KEYS.slice(0, 2).map((key) => {
    const headers = new Headers({ authorization: `Bearer ${key}`, 'helicone-other': `ask ${key}` })
    const url = `${ADDRESS}?config=${config(key)}`
    return wireRequest({ method: 'POST', url, headers, body: '' })
  })
  expect(asked[0]).toEqual(asked[1])
  expect(asked[0]!.headers).toEqual({ 'helicone-other': expect.stringMatching(/^digest \w{12}$/) })
})

test('a value without a credential has the digest that it always had', () => {
  expect(keptUrl(`${ADDRESS}?config=abc%252Fdef`)).toBe(`${ADDRESS}?config=1450a8e4aa89`)
})
