import { expect, test } from 'vitest'
import { say } from './waiter.ts'

let noted = ''

test('writes it down', async () => {
  noted = await say('Monday')
})

test('reads what another test wrote', async () => {
  expect((await say('What is written?')).length).toBeGreaterThan(0)
  expect(noted).toBe('You said: Monday')
})
