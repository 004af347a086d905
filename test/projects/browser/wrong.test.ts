import { describe, test } from 'vitest'
import { ask } from './ask'

describe.concurrent('at the same time', () => {
  for (const name of ['Dan', 'Eve'])
    test(`does not say whose it is: ${name}`, async () => {
      await ask(`I am ${name}`).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 100))
    })
})
