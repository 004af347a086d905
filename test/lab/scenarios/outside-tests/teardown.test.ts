import { test as base } from 'vitest'
import { ask } from '../ask.ts'

const test = base.extend({
  persona: [
    async ({}, use) => {
      await use(await ask('persona'))
      await ask('leave, persona')
    },
    { scope: 'file' },
  ],
})

test('greets before a teardown', async ({ persona }) => void (await ask(`greet ${persona}`)))
test('parts before a teardown', async ({ persona }) => void (await ask(`part ${persona}`)))
