import { expect, test } from 'vitest'
import { restorePlainValues } from '../../src/secrets/restore-plain-values.ts'
import { readText, textOf } from '../../src/wire/body.ts'

function restore(text: string, env: Record<string, string>): string {
  const wire = { method: 'POST', url: 'https://a.io/', body: readText(JSON.stringify({ text })) }
  return (JSON.parse(textOf(restorePlainValues(wire, env).body)) as { text: string }).text
}

test.for<[env: Record<string, string>, text: string]>([
  [{ A_KEY: 'test' }, 'Use test and <REDACTED:B_KEY>.'],
  [{ A_KEY: 'sk-replay-no-network', B_KEY: 'x' }, 'Use sk-replay-no-network and x.'],
  [{ A_KEY: 'a-real-1ong-credential' }, 'Use <REDACTED:A_KEY> and <REDACTED:B_KEY>.'],
])('a value that is none to hide is put back: %j', ([env, expected]) => {
  expect(restore('Use <REDACTED:A_KEY> and <REDACTED:B_KEY>.', env)).toBe(expected)
})

test('no other variable ever is', () => {
  expect(restore('<REDACTED:HOME>', { HOME: '/root' })).toBe('<REDACTED:HOME>')
})
