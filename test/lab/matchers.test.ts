import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

const TITLES = ['a stream that has ended is seen whole', 'reads what an agent did']

scenario('matchers', (made) => {
  test.for(['replay', 'vmThreads', 'without isolation'] as const)(
    'a test sees the same requests and answers when they are replayed offline, in the run "%s"',
    (run) => {
      expect(made('record').titles('passed')).toEqual(TITLES)
      expect(made(run).titles('passed')).toEqual(TITLES)
    },
  )

  test('each replayed exchange counts as saved, also one whose stream tells no tokens', () => {
    const saved = made('replay').tests.flatMap(({ cassette }) => cassette.saved ?? [])
    expect(saved).toHaveLength(5)
    expect(saved.filter(({ usage }) => usage === undefined)).toHaveLength(1)
  })

  test('a matcher fails if requests pass unseen', async () => {
    expect(made('off').titles('failed')).toEqual(TITLES)
    await expect(made('off').text('a stream')).toMatchFileSnapshot('golden/matchers/off.txt')
  })
})
