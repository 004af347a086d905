import DataLoader from 'dataloader'
import { describe, expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { edited } from '../changed.ts'
import { isChosen } from '../chosen.ts'
import { inOrder } from '../queues/in-order.ts'

type Batch = (keys: readonly string[]) => Promise<string[]>

/** Answers for several tests at once, with a call of its own for each of their questions. */
const batches: Record<string, Batch> = {
  'all at once': (keys) => Promise.all(keys.map(ask)),
  'one after the other': async (keys) => {
    const answers: string[] = []
    for (const key of keys) answers.push(await ask(key))
    return answers
  },
  'whether they fail or not': async (keys) => {
    const answers = await Promise.allSettled(keys.map((key) => ask(key)))
    return answers.map((answer) => (answer as PromiseFulfilledResult<string>).value)
  },
}

for (const [name, batch] of Object.entries(batches))
  for (const tests of [
    ['Ada', 'Bob'],
    ['Cleo', 'Dan', 'Eve'],
  ])
    describe.concurrent(`${name} for ${tests.length}`, () => {
      const loader = new DataLoader(batch, {
        cache: false,
        batchScheduleFn: (flush) => void setTimeout(flush, 5),
      })
      for (const who of inOrder(tests))
        test.runIf(isChosen(`${name} for ${tests.length}`, who))(who, async () => {
          for (const question of ['hello', edited('thanks', 'thank you')])
            expect(await loader.load(`${question} of ${who}, ${name}`)).toContain(who)
        })
    })
