import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('asks a provider', async () => {
  expect(await ask('Are you there?')).toBe('Odd: Are you there?')
})

test('asks a host of its own', async () => {
  const response = await fetch(`${process.env.UPSTREAM_URL}/internal`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ content: 'Who is it?' }] }),
  })
  expect(JSON.stringify(await response.json())).toContain('Odd: Who is it?')
})
