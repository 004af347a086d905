import { env, exports } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'

describe.concurrent('at the same time', () => {
  for (const name of ['Ada', 'Bob'])
    test(`${name} asks through the handler`, async () => {
      await exports.default.fetch(`http://worker.example/?q=${name}`)
    })
})

test('asks Workers AI', async () => {
  await env.AI.run('@cf/meta/llama-3.1-8b-instruct', { prompt: 'Hello' }).catch(() => 'swallowed')
})

test('replaces Workers AI', async () => {
  vi.spyOn(env.AI, 'run').mockResolvedValue({ response: 'Hi' })
  expect(await env.AI.run('@cf/meta/llama-3.1-8b-instruct', { prompt: 'Hello' })).toEqual({
    response: 'Hi',
  })
})
