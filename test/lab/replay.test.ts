import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('replay', (made) => {
  test.for(['replay', 'replay by sockets'] as const)(
    'the application gets the same when replayed, in one process for all files, in the run "%s"',
    (run) => {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).titles('passed')).toHaveLength(15)
      expect(made(run).replayed).toBe(26)
      const { results } = made('record')
      expect(made(run).results).toEqual(results)
      expect(results).toHaveLength(15)
      for (const name of results.filter((one) => one !== 'attempts'))
        expect([name, made(run).result(name)]).toEqual([name, made('record').result(name)])
      expect(made(run).after).toEqual(made(run).before)
    },
  )
})
