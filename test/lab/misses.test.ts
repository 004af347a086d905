import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('misses', (made) => {
  test.for(['changed', 'changed by sockets'] as const)(
    'every miss fails its test with one error, also where the application swallows or expects it, in the run "%s"',
    (run) => {
      expect(made(run).titles('passed')).toEqual([])
      expect(made(run).titles('failed')).toHaveLength(9)
      for (const { title } of made(run).tests)
        expect([title, made(run).code(title)]).toEqual([title, 'miss'])
      expect(made(run).after).toEqual(made(run).before)
    },
  )
})
