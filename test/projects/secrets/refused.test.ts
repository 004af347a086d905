import { test } from 'vitest'
import { ask } from './ask.ts'

test('a key that was pasted', async () => {
  await ask(`Why is ${['gsk', 'aB3'.repeat(17)].join('_')}c refused?`)
})

test.for([process.env.OPENAI_API_KEY, ['gsk', 'aB3'.repeat(17)].join('_') + 'd'])(
  'a key in a title: %s',
  async () => {
    await ask('Hello')
  },
)

test('the name of a tenant, sent as its key', async () => {
  await ask(`You work for ${process.env.TENANT_API_KEY ?? 'acme-corporation'}.`)
})
