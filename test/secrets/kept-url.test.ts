import { expect, test, vi } from 'vitest'
import { STAND_IN_KEY } from '../../src/providers/stand-in-keys.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
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

test.each([
  'keyword=one',
  'q=how+do+I+return+a+keyboard+that+I+bought+in+2024%3F',
  'namespace=docs-v2',
  'filter=%7B%22genre%22%3A%22drama%22%7D',
  'id=0b6a2a50-3f0a-4b57-9d0e-8a1f6f1f2f3c',
  'fields=name%2Caddress.city',
  'from=2026-01-01T00%3A00%3A00Z',
])('any other value is kept as it is: %s', (query) => {
  expect(keptUrl(`${ADDRESS}?${query}`)).toBe(`${ADDRESS}?${query}`)
})

test.each([
  ['an OpenAI key', 'q=sk-proj-9fKq2LmZ8vT4xWc7JhG5nB1rS6yD3pQ0aE8uI2oL4tM7wX9z'],
  ['a GitHub token inside', 'q=use+ghp_16C7e42F292c6912E7710c838347Ae178B4a+for+it'],
  ['one in base64', `q=${btoa('token: ghp_16C7e42F292c6912E7710c838347Ae178B4a')}`],
  ['what would be taken for a digest', 'commit=0123456789ab'],
])('of %s, a digest is kept', (_, query) => {
  const kept = keptUrl(`${ADDRESS}?${query}`)
  expect(kept).toMatch(/=[0-9a-f]{12}$/)
  expect(kept).not.toContain(query)
  expect(kept).not.toBe(keptUrl(`${ADDRESS}?${query}1`))
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

test('a value that a rule of the user hides has a number, since its digest could be guessed', () => {
  const url = `${ADDRESS}?customer=C-123456&customer=C-654321&page=2`
  const { request } = redactorFor([], new URL(url), [/C-\d{6}/], {}, {})
  const wire = request({ method: 'GET', url: keptUrl(url), body: { kind: 'empty' } })
  const [one, two] = [1, 2].map((number) => `%3CREDACTED%3Arule.${number}%3E`)
  expect(wire.url).toBe(`${ADDRESS}?customer=${one}&customer=${two}&page=2`)
})

test.each([
  [
    '?about=Compare+C-111111+with+C-222222',
    'about=Compare+%3CREDACTED%3Aone.1%3E+with+%3CREDACTED%3Aone.2%3E',
  ],
  ['?mail=ada%40example.com', 'mail=%3CREDACTED%3Atwo.1%3E'],
  ['?C-111111=1', '%3CREDACTED%3Aone.1%3E=1'],
  ['/C-111111/files', '/%3CREDACTED:one.1%3E/files'],
  ['/ada%40example.com%2Fx', '/%3CREDACTED:two.1%3E%2Fx'],
])('what a rule finds in an address is replaced where it stands: %s', (spelled, stored) => {
  const rules = { one: /C-\d{6}/, two: /[a-z]+@[a-z.]+/ }
  const redactor = redactorFor([], new URL(ADDRESS), rules, {}, {})
  const url = `${ADDRESS}${spelled}`
  const wire = wireRequest({ method: 'GET', url, headers: new Headers(), body: '' })
  expect(redactor.request(wire).url).toContain(stored)
})
