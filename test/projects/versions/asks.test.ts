import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useCassette } from 'vitest-cassette'
import { ask } from '../ask.ts'

const withPersona = test.extend<{ persona: string }>({
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the parameters which fixtures one needs
  persona: async ({}, use) => {
    await use(await ask('fixture'))
    await ask('end of the fixture')
  },
})

beforeAll(async () => void (await ask('beforeAll')))
afterAll(async () => void (await ask('afterAll')))

describe.concurrent('at once', () => {
  for (const city of ['Rome', 'Oslo', 'Lima'])
    test(`visits ${city}`, async () => {
      expect(await ask(`Where is ${city}?`)).toBe(`Odd: Where is ${city}?`)
      expect(await ask('uneven 0')).toBe('Odd: uneven 0')
      expect(await ask(`And how is ${city}?`)).toBe(`Odd: And how is ${city}?`)
    })
})

let attempts = 0

test('is tried again', { retry: 2 }, async () => {
  await ask(`attempt ${++attempts}`)
  expect(attempts).toBe(2)
})

test('is repeated', { repeats: 1 }, async () => void (await ask('again')))

withPersona('needs a fixture', async ({ persona, onTestFinished }) => {
  onTestFinished(async () => void (await ask('onTestFinished')))
  expect(persona).toBe('Odd: fixture')
})

test('has its cassette', async ({ cassette }) => {
  await ask('seen')
  expect(cassette).toHaveAsked('seen')
})

describe('options of a suite', () => {
  useCassette({ repeats: 'last' })
  test('hold for its tests', async () => void (await ask('with options')))
})

// As applications with a fallback do.
const swallow = (question: string): Promise<string> => ask(question).catch(() => 'Nobody')
const drift = process.env.DRIFT ?? ''

test('swallows its error', async () => void (await swallow(`swallowed${drift}`)))

test.fails('is expected to fail', async () => {
  await swallow(`expected${drift}`)
  throw new Error('as expected')
})

test('skips itself', async ({ skip }) => {
  await swallow(`skipped${drift}`)
  if (drift !== '') skip()
})
