import { expect, test } from 'vitest'
import { cloudflareDialects } from '../../../src/providers/cloudflare/dialects.ts'
import type { Dialect } from '../../../src/providers/dialect.ts'
import { answer, requestTo } from '../wire.ts'

const [cloudflareRun] = cloudflareDialects as [Dialect]

const URL = 'https://gateway.ai.cloudflare.com/v1/a1/g1/workers-ai/@cf/meta/llama-3.1-8b-instruct'

test('reads calls that stand bare, and calls as OpenAI spells them', () => {
  const bare = { id: 'c1', name: 'look_up', arguments: { order: 7 } }
  const spelled = {
    id: 'c2',
    type: 'function',
    function: { name: 'look_up', arguments: '{"order":8}' },
  }
  const result = { response: null, tool_calls: [bare, spelled] }
  expect(cloudflareRun.readCompletion(answer({ result, success: true })).toolCalls).toEqual([
    { id: 'c1', name: 'look_up', arguments: { order: 7 } },
    { id: 'c2', name: 'look_up', arguments: { order: 8 } },
  ])
})

test('writes calls back, at once and as a stream', () => {
  for (const stream of [true, false]) {
    const request = requestTo(URL, { prompt: 'Hi.', stream })
    const completion = {
      text: '',
      toolCalls: [{ id: 'c1', name: 'look_up', arguments: { order: 7 } }],
      finishReasons: [],
    }
    const written = cloudflareRun.writeCompletion!(completion, request)
    expect(cloudflareRun.readCompletion(written)).toEqual(completion)
  }
})

test('reads a prompt that is one text, structured output, and what went wrong', () => {
  expect(cloudflareRun.readPrompt(requestTo(URL, { prompt: 'Hi.' }))).toMatchObject({
    provider: 'cloudflare',
    model: '@cf/meta/llama-3.1-8b-instruct',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }],
  })
  const output = answer({ result: { response: { city: 'Ulm' } }, success: true, errors: [] })
  expect(cloudflareRun.readCompletion(output).text).toBe('{"city":"Ulm"}')
  const failed = answer({ result: null, success: false, errors: [{ message: 'No.' }] })
  expect(cloudflareRun.readCompletion(failed).error).toBe('No.')
})
