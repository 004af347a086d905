import { beforeAll, describe, expect, test } from 'vitest'
import { edited } from '../changed.ts'
import { isChosen } from '../chosen.ts'
import { inOrder } from './in-order.ts'
import { startQueues } from './queues.ts'

const concurrent = process.env.CONCURRENT === '1'

// Its workers start at the level of the module, or in a hook of the file.
for (const [name, ask] of inOrder(Object.entries(startQueues()))) {
  const warm = ask(`warm up ${name}`)
  describe(name, { concurrent }, () => {
    beforeAll(() => warm)

    for (const time of inOrder(['first', 'second']))
      test.runIf(isChosen(name, `asks the ${time} time`))(`asks the ${time} time`, async () => {
        const question = `${time.replace('second', edited('second', 'last'))} by ${name}`
        expect(await ask(question)).toBe(`You said: ${question}`)
      })
  })
}
