import { describe, expect, test } from 'vitest'
import { isChosen } from '../chosen.ts'
import { inOrder } from './in-order.ts'
import { startQueues } from './queues.ts'

// One timer of it asks for several tests at once.
const queues = startQueues()
delete queues.dataloader

for (const [name, ask] of inOrder(Object.entries(queues)))
  describe.concurrent(name, () => {
    for (const who of inOrder(['Ada', 'Bob', 'Cleo']))
      test.runIf(isChosen(name, who))(who, async () => {
        for (const question of ['hello', 'thanks'])
          expect(await ask(`${question} of ${who} by ${name}`)).toContain(who)
      })
  })
