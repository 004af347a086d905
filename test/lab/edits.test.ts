import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('edits', (made) => {
  test.for(['replay', 'replay by sockets'] as const)(
    'what is not edited passes, in the run "%s"',
    (run) => {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).titles('passed')).toHaveLength(17)
    },
  )

  test.for(['changed', 'changed by sockets'] as const)(
    'each edit ends as the title of its test says, in the run "%s"',
    (run) => {
      const { tests } = made(run)
      for (const { title, state } of tests)
        expect(`${title}: ${state}`).toBe(
          `${title}: ${title.startsWith('fails: ') ? 'failed' : 'passed'}`,
        )
      expect(made(run).titles('failed')).toHaveLength(12)
    },
  )
})
