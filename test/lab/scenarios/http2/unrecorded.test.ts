import { test } from 'vitest'
import { converse } from './bedrock.ts'

test.runIf(process.env.CHANGED === '1')('is not recorded', async () => {
  await converse('Hello')
})
