import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('in-tests', (made) => {
  test.for(['record', 'replay', 'vmThreads', 'without isolation'] as const)(
    'options of a test hold for the test wherever they are set, in the run "%s"',
    (run) => {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).titles('passed')).toHaveLength(18)
    },
  )

  test('options of a test hold for no other test', () => {
    const changed = made('changed')
    const failed = ['and this one is as strict as ever', 'for all tests below > the nearest wins']
    expect(changed.titles('failed')).toEqual(failed)
    for (const title of failed) {
      expect(changed.code(title)).toBe('unused')
      expect(changed.test(title).cassette.unused).toBe(1)
    }
  })
})
