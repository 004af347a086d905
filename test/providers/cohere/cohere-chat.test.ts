import { expect, test } from 'vitest'
import { cohereDialects } from '../../../src/providers/cohere/dialects.ts'
import type { Completion } from '../../../src/prompt/completion.ts'
import { answer, named, requestTo, stream } from '../wire.ts'
import type { Dialect } from '../../../src/providers/dialect.ts'

const [cohereChat] = cohereDialects as [Dialect]

const request = (stream: boolean) =>
  requestTo('https://api.cohere.com/v2/chat', {
    model: 'command-a-03-2025',
    messages: [{ role: 'user', content: 'Is it dry?' }],
    stream,
  })

test('reads the plan that a call was made by as reasoning', () => {
  const plan = { text: '', reasoning: 'I will look.' }
  const message = { role: 'assistant', tool_plan: 'I will look.', tool_calls: [] }
  expect(cohereChat.readCompletion(answer({ message }))).toMatchObject(plan)
  const events = named(
    { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I will ' } } },
    { type: 'tool-plan-delta', delta: { message: { tool_plan: 'look.' } } },
  )
  expect(cohereChat.readCompletion(stream(...events))).toMatchObject(plan)
})

test('counts what was billed where nothing else was counted', () => {
  const usage = { billed_units: { input_tokens: 5, output_tokens: 7 } }
  expect(cohereChat.readCompletion(answer({ message: {}, usage })).usage).toEqual({
    inputTokens: 5,
    outputTokens: 7,
  })
})

test('reads an answer that ended in an error', () => {
  const delta = { finish_reason: 'ERROR', error: 'Down.' }
  expect(cohereChat.readCompletion(stream(...named({ type: 'message-end', delta })))).toEqual({
    text: '',
    toolCalls: [],
    finishReasons: ['ERROR'],
    error: 'Down.',
  })
})

test('gives a call written by hand an id, and an answer its usual end', () => {
  const said: Completion = {
    text: '',
    toolCalls: [{ name: 'weather', arguments: { city: 'Ulm' } }],
    finishReasons: [],
  }
  for (const streams of [true, false]) {
    const written = cohereChat.writeCompletion!(said, request(streams))
    expect(cohereChat.readCompletion(written)).toEqual({
      ...said,
      toolCalls: [{ id: expect.stringMatching(/^call_\w+$/), ...said.toolCalls[0] }],
      finishReasons: ['TOOL_CALL'],
    })
  }
})
