import { test } from 'vitest'
import { ask } from '../ask.ts'

const testOnly = process.env.SKIPS ? test.only : test

testOnly('is the only one', async () => {
  await ask('Is it alone?')
})

test('is left out', async () => {
  await ask('Is it in company?')
})
