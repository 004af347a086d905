import { test as base } from 'vitest'
import { ask } from '../ask.ts'

const test = base.extend({
  persona: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the parameters which fixtures one needs
    async ({}, use) => {
      await use(await ask('persona'))
      await ask('leave, persona')
    },
    { scope: 'file' },
  ],
})

test('greets before a teardown', async ({ persona }) => void (await ask(`greet ${persona}`)))
test('parts before a teardown', async ({ persona }) => void (await ask(`part ${persona}`)))
