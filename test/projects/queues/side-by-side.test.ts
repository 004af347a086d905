import { describe, expect, test } from 'vitest'
import { startQueues } from './queues.ts'

// One timer of it asks for several tests at once.
const queues = startQueues()
delete queues.dataloader

for (const [name, ask] of Object.entries(queues))
  describe.concurrent(name, () => {
    for (const who of ['Ada', 'Bob', 'Cleo'])
      test(who, async () => {
        for (const question of ['hello', 'thanks'])
          expect(await ask(`${question} of ${who} by ${name}`)).toContain(who)
      })
  })
