import { expect, test } from 'vitest'
import { dialectOf } from '../../src/providers/dialects.ts'
import { geminiLive } from '../../src/providers/gemini/gemini-live.ts'
import { openaiRealtime } from '../../src/providers/openai/openai-realtime.ts'
import { liveSample, realtimeSample } from './samples/sockets.ts'
import { jsonLines, requestTo, streamOfLines } from './wire.ts'

const REALTIME = realtimeSample.url
const LIVE = liveSample.url

const say = (body: object) => openaiRealtime.readPrompt(requestTo(REALTIME, body, 'SEND'))
const user = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] })

test('a handshake asks for nothing, and names the model where its address does', () => {
  const request = { method: 'GET', url: REALTIME, body: { kind: 'empty' as const } }
  expect(dialectOf(request)).toBe(openaiRealtime)
  expect(openaiRealtime.readPrompt(request)).toEqual({
    provider: 'openai',
    operation: 'connect',
    model: 'gpt-realtime',
    parameters: {},
    messages: [],
    tools: [],
  })
  expect(dialectOf({ ...request, url: LIVE })).toBe(geminiLive)
})

test('a session is its instructions and tools, an item is what is said in it', () => {
  const session = { type: 'realtime', instructions: 'Be kind.', tools: [{ name: 'look_up' }] }
  expect(say({ type: 'session.update', session })).toMatchObject({
    operation: 'session.update',
    model: 'gpt-realtime',
    parameters: { type: 'realtime' },
    messages: [{ role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] }],
    tools: [{ name: 'look_up' }],
  })
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] }
  expect(say({ type: 'conversation.item.create', item }).messages).toEqual([user('Hi.')])
  const output = { type: 'function_call_output', call_id: 'c1', output: 'sunny' }
  expect(say({ type: 'conversation.item.create', item: output }).messages).toEqual([
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', result: 'sunny' }] },
  ])
  expect(say({ type: 'input_audio_buffer.append', audio: 'AAAA' }).messages).toMatchObject([
    { role: 'user', parts: [{ type: 'blob', size: 3 }] },
  ])
})

test('a response over a socket asks as one over HTTP does', () => {
  const url = 'https://api.openai.com/v1/responses'
  const body = { type: 'response.create', model: 'gpt-5', input: 'Hi.', previous_response_id: 'r1' }
  expect(openaiRealtime.readPrompt(requestTo(url, body, 'SEND'))).toMatchObject({
    model: 'gpt-5',
    parameters: { previous_response_id: 'r1' },
    messages: [user('Hi.')],
  })
})

test('what a server says before it answers is no answer, and a whole one', () => {
  for (const frames of [[], [{ type: 'session.created' }, { type: 'conversation.item.added' }]])
    expect(openaiRealtime.readCompletion(streamOfLines(...jsonLines(...frames)))).toEqual({
      text: '',
      toolCalls: [],
      finishReasons: [],
    })
  const setup = streamOfLines(...jsonLines({ '@json': { setupComplete: {} } }))
  expect(geminiLive.readCompletion(setup)).toEqual({ text: '', toolCalls: [], finishReasons: [] })
})

test('responses that come at the same time are kept apart and counted together', () => {
  const delta = (response_id: string, text: string) => ({
    type: 'response.output_text.delta',
    response_id,
    output_index: 0,
    content_index: 0,
    delta: text,
  })
  const done = (id: string) => ({
    type: 'response.done',
    response: { id, status: 'completed', output: [], usage: { input_tokens: 2, output_tokens: 1 } },
  })
  const frames = [delta('a', 'O'), delta('b', 'T'), delta('a', 'ne'), done('a'), delta('b', 'wo')]
  const read = (...all: (typeof frames)[number][]) =>
    openaiRealtime.readCompletion(streamOfLines(...jsonLines(...all)))
  expect(read(...frames)).toMatchObject({ text: 'One\n\nTwo', incomplete: true })
  expect(read(...frames, done('b'))).toEqual({
    text: 'One\n\nTwo',
    toolCalls: [],
    finishReasons: ['completed', 'completed'],
    usage: { inputTokens: 4, outputTokens: 2 },
  })
})

test('a response that fails says why', () => {
  const status_details = { type: 'failed', error: { message: 'No quota.' } }
  const response = { id: 'a', status: 'failed', output: [], status_details }
  const frames = jsonLines({ type: 'response.done', response })
  expect(openaiRealtime.readCompletion(streamOfLines(...frames)).error).toBe('No quota.')
})

test('Gemini waits for the result of its call, and says when it was interrupted', () => {
  const read = (...frames: object[]) =>
    geminiLive.readCompletion(streamOfLines(...jsonLines(...(frames as never[]))))
  const functionCalls = [{ id: 'c1', name: 'look_up', args: { order: 7 } }]
  expect(read({ '@json': { toolCall: { functionCalls } } })).toEqual({
    text: '',
    toolCalls: [{ id: 'c1', name: 'look_up', arguments: { order: 7 } }],
    finishReasons: [],
  })
  const said = { serverContent: { modelTurn: { parts: [{ text: 'Well' }] } } }
  expect(read(said)).toMatchObject({ text: 'Well', incomplete: true })
  expect(read(said, { serverContent: { interrupted: true } })).toEqual({
    text: 'Well',
    toolCalls: [],
    finishReasons: ['interrupted'],
  })
})

test('a message to Gemini that is named like a method of every object is no message of its own', () => {
  const body = { valueOf: { turns: [] } }
  expect(geminiLive.readPrompt(requestTo(LIVE, body, 'SEND')).parameters).toEqual(body)
})
