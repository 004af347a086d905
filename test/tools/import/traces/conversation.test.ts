import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../../../properties.ts'
import {
  callsOf,
  chatOf,
  idOf,
  otlpOf,
  printed,
  traceOf,
  type WrittenSpan,
  readTraces,
} from './spans.ts'

const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' }
const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'weather' }
const CALL = { type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }
const said = (text: string) => ({ role: 'user', parts: [{ type: 'text', content: text }] })

test('a span around several calls that repeats them is none', () => {
  const calls = callsOf(
    otlpOf([
      { id: 'root', attributes: chatOf('One', 'Two') },
      { id: 'a', parent: 'root', attributes: chatOf('One', 'First') },
      { id: 'b', parent: 'root', attributes: chatOf('One', 'Second') },
    ]),
  )
  expect(calls.map(({ answer }) => answer.text)).toEqual(['First', 'Second'])
})

test('a call that two instrumentations have traced counts once, with what each of them tells', () => {
  const calls = callsOf(
    otlpOf([
      { id: 'outer', attributes: chatOf('Hi', 'Hello') },
      {
        id: 'inner',
        parent: 'outer',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-9',
          'http.response.status_code': 429,
          'error.type': 'rate_limit_error',
        },
        error: '',
      },
    ]),
  )
  expect(calls).toHaveLength(1)
  expect(printed(calls[0]!)).toEqual(['user: Hi'])
  expect(calls[0]!.answer.status).toBe(429)
})

test('two calls beside each other with the id of one answer are one, unless one is later', () => {
  const spans = (at: number): WrittenSpan[] => [
    { id: 'a', at: 0, attributes: chatOf('Hi', 'Hello', { 'gen_ai.response.id': 'chatcmpl-7' }) },
    { id: 'b', at, attributes: chatOf('Hi', 'Hello', { 'gen_ai.response.id': 'chatcmpl-7' }) },
  ]
  expect(callsOf(otlpOf(spans(0.1)))).toHaveLength(1)
  expect(callsOf(otlpOf(spans(5)))).toHaveLength(2)
})

test('a model that a tool of a model asks is no wrapper’s', () => {
  const calls = callsOf(
    otlpOf([
      { id: 'outer', at: 0, attributes: chatOf('Ask the other', 'Done') },
      { id: 'tool', parent: 'outer', at: 0.1, attributes: tool },
      { id: 'inner', parent: 'tool', at: 0.2, attributes: chatOf('I am asked', 'Yes') },
    ]),
  )
  expect(calls.map(({ answer }) => answer.text)).toEqual(['Done', 'Yes'])
})

test('several agents under one parent are several threads', () => {
  const calls = callsOf(
    otlpOf([
      { id: 'root', name: 'main' },
      { id: 'one', parent: 'root', attributes: agent },
      { id: 'a', parent: 'one', attributes: chatOf('A', 'a') },
      { id: 'two', parent: 'root', attributes: { ...agent, 'gen_ai.agent.name': 'other' } },
      { id: 'step', parent: 'two' },
      { id: 'b', parent: 'step', attributes: chatOf('B', 'b') },
      { id: 'c', parent: 'root', attributes: chatOf('C', 'c') },
    ]),
  )
  expect(calls.map(({ thread }) => thread)).toEqual([
    { id: idOf('one'), name: 'helper' },
    { id: idOf('two'), name: 'other' },
    { id: 'f1'.padStart(32, '0') },
  ])
})

test('each call of a tool gets its own result, by its id and not by its place', () => {
  const calls = callsOf(
    otlpOf([
      {
        id: 'a',
        attributes: chatOf('Hi', [CALL, { ...CALL, id: 'c2', arguments: { city: 'Rome' } }]),
      },
      {
        id: 't2',
        at: 1,
        attributes: { ...tool, 'gen_ai.tool.call.id': 'c2', 'gen_ai.tool.call.result': 'sunny' },
      },
      {
        id: 't1',
        at: 1,
        attributes: { ...tool, 'gen_ai.tool.call.id': 'c1', 'gen_ai.tool.call.result': 'rainy' },
      },
    ]),
  )
  expect(calls[0]!.answer.tool_calls!.map(({ result }) => result)).toEqual(['rainy', 'sunny'])
})

test('what the model was sent is the result, and not what the tool gave', () => {
  const next = [
    said('Hi'),
    { role: 'assistant', parts: [CALL] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rain, cut' }] },
  ]
  const calls = callsOf(
    otlpOf([
      { id: 'a', attributes: chatOf('Hi', [CALL]) },
      {
        id: 't',
        attributes: {
          ...tool,
          'gen_ai.tool.call.id': 'c1',
          'gen_ai.tool.call.result': 'rain, all day',
        },
      },
      { id: 'b', attributes: chatOf(next, 'It rains.') },
    ]),
  )
  expect(calls[0]!.answer.tool_calls![0]!.result).toBe('rain, cut')
})

test('an answer gets its lost tool calls from the next prompt', () => {
  const next = [
    said('Hi'),
    { role: 'assistant', parts: [{ type: 'text', content: 'Wait.' }, CALL] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rainy' }] },
  ]
  const [call, other] = callsOf(
    otlpOf([
      { id: 'a', attributes: chatOf('Hi', 'Wait.') },
      { id: 'b', attributes: chatOf(next, 'It rains.') },
    ]),
  )
  expect(call!.answer).toEqual({
    text: 'Wait.',
    tool_calls: [
      { id: 'c1', tool_name: 'weather', parameters: { city: 'Paris' }, result: 'rainy' },
    ],
    isRestored: true,
  })
  expect(other!.answer.isRestored).toBeUndefined()
})

test('a prompt that does not go on from a call tells nothing of its answer', () => {
  const next = [said('Other'), { role: 'assistant', parts: [CALL] }]
  const [call] = callsOf(
    otlpOf([
      { id: 'a', attributes: chatOf('Hi', 'Wait.') },
      { id: 'b', attributes: chatOf(next, 'It rains.') },
    ]),
  )
  expect(call!.answer).toEqual({ text: 'Wait.' })
})

test('calls are in the order of their start; those of one time by how much was said before', () => {
  const long = [
    said('Hi'),
    { role: 'assistant', parts: [{ type: 'text', content: 'Hello' }] },
    said('Bye'),
  ]
  const calls = callsOf(
    otlpOf([
      { id: 'c', at: 2, attributes: chatOf('Late', '3') },
      { id: 'a', at: 1, attributes: chatOf(long, '2') },
      { id: 'b', at: 1, attributes: chatOf('Hi', '1') },
    ]),
  )
  expect(calls.map(({ answer }) => answer.text)).toEqual(['1', '2', '3'])
})

test('nanoseconds count', () => {
  const [first, second] = JSON.parse(
    otlpOf([
      { id: 'b', attributes: chatOf('B', 'later') },
      { id: 'a', attributes: chatOf('A', 'earlier') },
    ]),
  ).resourceSpans[0].scopeSpans[0].spans
  const spans = [
    { ...first, startTimeUnixNano: '1700000000000000002' },
    { ...second, startTimeUnixNano: '1700000000000000001' },
  ]
  const calls = callsOf(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))
  expect(calls.map(({ answer }) => answer.text)).toEqual(['earlier', 'later'])
})

test('half a trace is read, and the spans without their parents are counted', () => {
  const { calls, orphans } = traceOf(
    otlpOf([
      { id: 'a', parent: 'gone', attributes: chatOf('Hi', 'Hello') },
      { id: 'b', parent: 'a', attributes: tool },
    ]),
  )
  expect(calls).toHaveLength(1)
  expect(orphans).toBe(1)
})

test('a span that is its own ancestor ends nothing', () => {
  const { calls } = traceOf(
    otlpOf([
      { id: 'a', parent: 'b', attributes: chatOf('Hi', 'Hello') },
      { id: 'b', parent: 'a', attributes: agent },
    ]),
  )
  expect(calls).toHaveLength(1)
})

test('traces of one file are in the order of their first calls', () => {
  const { traces } = readTraces(
    otlpOf([
      { id: 'a', trace: 'f2', at: 5, attributes: chatOf('Late', 'l') },
      { id: 'b', trace: 'f3', at: 1, attributes: chatOf('Early', 'e') },
    ]),
    'trace.json',
  )
  expect(traces.map(({ calls }) => calls[0]!.answer.text)).toEqual(['e', 'l'])
})

/** Trees of agents, calls and tools, with times that are often equal. */
const trees = fc
  .array(
    fc.record({
      parent: fc.nat(12),
      at: fc.nat(3),
      kind: fc.constantFrom('chat', 'chat', 'agent', 'tool', 'other'),
      text: fc.constantFrom('Hi', 'Bye', 'Weather?'),
      calls: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((nodes) =>
    nodes.map(({ parent, at, kind, text, calls }, index): WrittenSpan => {
      const attributes = {
        chat: chatOf(text, calls ? [{ ...CALL, id: `c${index}` }] : 'Said'),
        agent,
        tool: { ...tool, 'gen_ai.tool.call.id': `c${parent}`, 'gen_ai.tool.call.result': 'rainy' },
        other: {},
      }[kind]!
      return {
        id: `s${index}`,
        at,
        ...(index > 0 ? { parent: `s${parent % index}` } : {}),
        attributes,
      }
    }),
  )

test('the order of the spans in a file says nothing', () => {
  fc.assert(
    fc.property(
      trees.chain((spans) =>
        fc.tuple(fc.constant(spans), fc.shuffledSubarray(spans, { minLength: spans.length })),
      ),
      ([spans, shuffled]) => {
        fc.pre(spans.some(({ attributes }) => attributes!['gen_ai.operation.name'] === 'chat'))
        expect(callsOf(otlpOf(shuffled))).toEqual(callsOf(otlpOf(spans)))
      },
    ),
  )
})
