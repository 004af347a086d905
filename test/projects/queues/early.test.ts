import { beforeAll, describe, expect, test } from 'vitest'
import { startQueues } from './queues.ts'

// Its workers start at the level of the module, or in a hook of the file.
for (const [name, ask] of Object.entries(startQueues())) {
  const warm = ask(`warm up ${name}`)
  describe(name, () => {
    beforeAll(() => warm)

    for (const time of ['first', 'second'])
      test(`asks the ${time} time`, async () => {
        expect(await ask(`${time} by ${name}`)).toBe(`You said: ${time} by ${name}`)
      })
  })
}
