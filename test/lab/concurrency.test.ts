import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('concurrency', (made) => {
  test.for(['replay', 'replay by sockets'] as const)(
    'every test of those that run at once gets its own answers, in one process for all files, in the run "%s"',
    (run) => {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).titles('passed')).toHaveLength(9)
      expect(made(run).replayed).toBe(18)
    },
  )
})
