import { edited } from '../changed.ts'
import Anthropic, { toFile } from '@anthropic-ai/sdk'
import { test } from 'vitest'
import { keep } from '../keep.ts'
import { polled } from './polled.ts'

const anthropic = new Anthropic({ apiKey: 'sk-none', baseURL: process.env.FRONT_URL! })

test('a file', async () => {
  const file = await toFile(Buffer.from(edited('Mow the lawn.', 'Mow the grass.')), 'note.txt', {
    type: 'text/plain',
  })
  keep('anthropic-file', await anthropic.beta.files.upload({ file }))
})

test('a batch, from the messages to their results', async () => {
  const batch = await anthropic.messages.batches.create({
    requests: ['One', edited('Two', 'Three')].map((content) => ({
      custom_id: content,
      params: { model: 'claude', max_tokens: 9, messages: [{ role: 'user', content }] },
    })),
  })
  const [states] = await polled(
    () => anthropic.messages.batches.retrieve(batch.id),
    ({ processing_status }) => processing_status === 'ended',
  )
  const results: unknown[] = []
  for await (const result of await anthropic.messages.batches.results(batch.id))
    results.push(result)
  keep('anthropic-batch', [states.map((state) => state.processing_status), results])
})

test('a count', async () => {
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  keep('anthropic-count', await anthropic.messages.countTokens({ model: 'claude', messages }))
})
