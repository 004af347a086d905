import { expect, test } from 'vitest'
import { geminiInteractions } from '../../../src/providers/gemini/gemini-interactions.ts'
import { interactionsSample } from '../samples/gemini.ts'
import { answer, requestTo, stream } from '../wire.ts'

const text = (said: string) => ({ type: 'text', text: said })
const ask = (body: object) => geminiInteractions.readPrompt(requestTo(interactionsSample.url, body))

test.each([
  ['a text', 'Is it dry?'],
  ['a piece of content', text('Is it dry?')],
  ['a list of content', [text('Is it dry?')]],
  ['a step', [{ type: 'user_input', content: [text('Is it dry?')] }]],
  ['a turn', [{ role: 'user', content: [text('Is it dry?')] }]],
])('reads an input that is %s', (_, input) => {
  expect(ask({ model: 'gemini-3', input }).messages).toEqual([
    { role: 'user', parts: [text('Is it dry?')] },
  ])
})

test('asks an agent, and goes on where a conversation stopped', () => {
  const body = { agent: 'deep-research', input: 'Go on.', previous_interaction_id: 'v1_0' }
  const request = requestTo(interactionsSample.url, body)
  expect(geminiInteractions.claims(request)).toBe(true)
  expect(geminiInteractions.readPrompt(request).parameters).toEqual({
    agent: 'deep-research',
    previous_interaction_id: 'v1_0',
  })
})

test('reads of an answer only what the model said', () => {
  const steps = [
    { type: 'user_input', content: [text('Is it dry?')] },
    { type: 'code_execution_call', id: 'c1', arguments: { language: 'python', code: '7' } },
    { type: 'code_execution_result', call_id: 'c1', result: [text('7')] },
    { type: 'model_output', content: [text('It is dry.')] },
  ]
  expect(geminiInteractions.readCompletion(answer({ status: 'completed', steps }))).toEqual({
    text: 'It is dry.',
    toolCalls: [{ id: 'c1', name: 'code_execution', arguments: { language: 'python', code: '7' } }],
    finishReasons: ['completed'],
  })
})

test('does not say of a stream that was cut how it ended', () => {
  const cut = stream(...interactionsSample.events!.slice(0, 5))
  expect(geminiInteractions.readCompletion(cut)).toEqual({
    text: '',
    reasoning: 'Sunny means dry.',
    toolCalls: [],
    finishReasons: [],
    incomplete: true,
  })
})

test('reads an interaction that failed', () => {
  const failed = { status: 'failed', errors: [{ code: 'internal', message: 'Down.' }] }
  expect(geminiInteractions.readCompletion(answer(failed))).toMatchObject({
    finishReasons: ['failed'],
    error: 'Down.',
  })
})
