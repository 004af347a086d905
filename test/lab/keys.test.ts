import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('keys', (made) => {
  test('every SDK records with the keys of the one who records', () => {
    expect(made('record').titles('failed')).toEqual([])
    expect(made('record').titles('skipped')).toEqual([])
  })

  test.for([
    ['in a fork', 'replay'],
    ['in a thread', 'threads'],
    ['in a vm pool', 'vmThreads'],
    ['with empty keys, as CI gives them to the run of a fork', 'changed'],
  ] as const)(
    'SDKs replay without a key, also in an environment that a test puts in place, and only tests that ask see one: %s',
    ([, run]) => {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).titles('passed')).toEqual(made('record').titles('passed'))
      expect(made(run).replayed).toBe(33)
    },
  )

  test('a test has minutes while it is recorded, and the usual time when it is replayed', () => {
    expect(made('record').result('timeout')).toBe(300_000)
    expect(made('replay').result('timeout')).toBe(5_000)
  })
})

scenario('keys-unset', (made) => {
  test.for([
    ['in a fork', 'replay'],
    ['in a thread', 'threads'],
    ['in a vm pool', 'vmThreads'],
    ['with empty keys', 'changed'],
    ['with a real key, which is the one that is seen', 'ci'],
  ] as const)('a key that a test takes away or sets is away or set, %s', ([, run]) => {
    expect(made(run).titles('failed')).toEqual([])
    expect(made(run).titles('passed')).toHaveLength(20)
  })
})

for (const [name, pool] of [
  ['keys-children', 'forks'],
  ['keys-children-threads', 'threads'],
])
  scenario(name!, (made) => {
    test(`threads and processes of a test start without a key, whatever their environment, in ${pool}`, () => {
      expect(made('record').titles('failed')).toEqual([])
      expect(made('replay').titles('failed')).toEqual([])
      expect(made('replay').titles('passed')).toHaveLength(16)
      expect(made('replay').replayed).toBe(19)
    })
  })

for (const [name, pool] of [
  ['keys-children-false', 'forks'],
  ['keys-children-false-threads', 'threads'],
])
  scenario(name!, (made) => {
    test(`with the option keys: false no thread and no process of a test gets a key, in ${pool}`, () => {
      expect(made('record').titles('passed')).toEqual(['a process', 'a thread'])
      expect(made('replay').titles('failed')).toEqual(['a process', 'a thread'])
      expect(made('replay').replayed).toBe(0)
    })
  })

scenario('keys-later', (made) => {
  test('an SDK without a key gets far enough for the miss of a test that is not recorded', () => {
    expect(made('replay').code('is not recorded yet')).toBe('miss')
    const { misses, missed } = made('replay').test('is not recorded yet').cassette
    expect(misses).toBe(1)
    expect(missed![0]).not.toHaveProperty('exchange')
  })

  test('no key is lent where nothing is replayed', () => {
    expect(refusal(made('off').test('is not recorded yet'))).toMatch(
      /Missing credentials|OPENAI_API_KEY/,
    )
  })
})

scenario('keys-later-false', (made) => {
  test('no key is lent with the option keys: false', () => {
    expect(refusal(made('replay').test('is not recorded yet'))).toMatch(
      /Missing credentials|OPENAI_API_KEY/,
    )
  })
})

/** What an SDK says of a failed test. */
function refusal({ state, errors }: { state: string; errors: Array<{ message: string }> }): string {
  expect(state).toBe('failed')
  return errors.map(({ message }) => message).join('\n')
}
