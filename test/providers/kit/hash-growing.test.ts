import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashGrowing } from '../../../src/providers/kit/hash-growing.ts'

const HEAD = 'POST api.example.com/v1\n\n'

test('requests that grow, by turns, shrink or end in another way have the hash of their whole text', () => {
  const turns = Array.from(
    { length: 40 },
    (_, turn) => `Turn ${turn} – 日本語 😀 ${'x'.repeat(700 + turn)}`,
  )
  const talk = (name: string, count: number): string =>
    JSON.stringify({ name, messages: turns.slice(0, count), temperature: 0 })
  const bodies = turns.flatMap((_, count) => [talk('one', count + 3), talk('two', count + 3)])
  for (const body of [...bodies, ...bodies.toReversed(), ...bodies]) expectHash(HEAD, body)
  expectHash('another head\n\n', bodies.at(-1)!)
})

test('no character is cut in two, wherever a text is cut', () => {
  for (let length = 0; length < 8; length++)
    for (const more of ['', '😀', 'x'])
      expectHash(HEAD, `${'a'.repeat(length)}${'😀'.repeat(1_100)}${more}`)
})

test('a text that is too long to be compared is not kept', () => {
  const long = 'é'.repeat(600_000)
  for (const body of [long, `${long}!`, long]) expectHash(HEAD, body)
})

function expectHash(head: string, body: string): void {
  const whole = createHash('sha256').update(head + body)
  expect(hashGrowing(head, body)).toBe(whole.digest('base64url'))
}
