import { expect, test } from 'vitest'
import { withoutSecrets } from '../../src/secrets/without-secrets.ts'

const KEY = `sk-proj-${'aB3dE5gH7jK9'.repeat(4)}`

test.each([
  ['around a key', `Be \u001b[7m${KEY}\u001b[27m.`],
  ['within it', `Be ${KEY.slice(0, 20)}\u001b[7m${KEY.slice(20)}\u001b[27m.`],
])('colours hide no key: %s', (_, text) => {
  expect(withoutSecrets(text, {})).toBe('Be <REDACTED:openai>.')
})

test('colours hide no value of the environment', () => {
  const token = 'k9TzW2qLx8Vb4NcR'
  const text = `Be ${token.slice(0, 4)}\u001b[7m${token.slice(4)}\u001b[27m.`
  expect(withoutSecrets(text, { SHOP_TOKEN: token })).toBe('Be <REDACTED:SHOP_TOKEN>.')
})

test('a text without secrets keeps its colours', () => {
  const text = 'Be \u001b[7mquick\u001b[27m.'
  expect(withoutSecrets(text, {})).toBe(text)
})
