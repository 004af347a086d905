import { describe, expect, test } from 'vitest'
import { ask } from '../ask.ts'

const { SKIPS, FAILS, PLACE = 'one' } = process.env

await ask('Is the file heard?')

test('stays', async () => {
  const answer = await ask('Who stays?')
  if (FAILS) expect(answer).toBe('nobody')
})

test('leaves', async () => {
  await ask('Who leaves?')
})

test('has an old name', async () => {
  await ask('What is in a name?')
})

test.each(['a', 'a', 'b'])('each %s', async (letter) => {
  await ask(`Which ${letter}?`)
})

describe.skipIf(SKIPS)('skipped', () => {
  test('is skipped', async () => {
    await ask('Is it skipped?')
  })
})

let attempts = 0
test('passes at last', { retry: 2 }, async () => {
  await ask('Again?')
  expect(++attempts).toBeGreaterThan(1)
})

test('asks twice', { repeats: 1 }, async () => {
  await ask('Twice?')
})

test(`is in ${PLACE}`, async () => {
  await ask('Where?')
})

test.todo('is still to do')
