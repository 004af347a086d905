import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src/json/json-value.ts'
import { coded, expectGolden } from '../../../golden.ts'
import { failureHeadOf } from '../reasons.ts'
import { callsOf, chatOf, otlpOf, printed, readTraces } from './spans.ts'

const START = '2026-01-02T03:04:05.678Z'

function observation(more: JsonObject): JsonObject {
  return {
    id: 'o1',
    traceId: 't1',
    type: 'GENERATION',
    name: 'chat',
    startTime: START,
    endTime: '2026-01-02T03:04:06.678Z',
    model: 'gpt-9',
    modelParameters: { temperature: 0.5, max_tokens: -1, user: '' },
    input: [{ role: 'user', content: 'Hi' }],
    output: { role: 'assistant', content: 'Hello' },
    usageDetails: { input: 7, output: 2, total: 9 },
    ...more,
  }
}

test.for<[name: string, write: (observations: JsonObject[]) => JsonValue]>([
  [
    'a trace with its observations',
    (observations) => ({ id: 't1', sessionId: 's1', observations }),
  ],
  [
    'a page of the site',
    (observations) => ({ trace: { id: 't1', sessionId: 's1' }, observations }),
  ],
  ['a page of the API', (data) => ({ data, meta: { page: 1 } })],
  ['a list of observations', (observations) => observations],
])('Langfuse: %s', ([, write]) => {
  const text = JSON.stringify(
    write([observation({}), observation({ id: 'o2', type: 'SPAN', name: 'step' })]),
  )
  const [call, ...others] = callsOf(text)
  expect(others).toEqual([])
  expect(printed(call!)).toEqual(['user: Hi'])
  expect(call).toMatchObject({
    traceId: 't1',
    spanId: 'o1',
    start: '2026-01-02T03:04:05.678000000Z',
    durationMs: 1_000,
    prompt: { model: 'gpt-9', parameters: { temperature: 0.5 } },
    answer: { text: 'Hello', usage: { input_tokens: 7, output_tokens: 2 } },
  })
  if (text.includes('s1')) expect(call!.conversation).toBe('s1')
})

test('Langfuse: an error, an agent, and a tool', () => {
  const [call] = callsOf(
    JSON.stringify([
      observation({ id: 'a', type: 'AGENT', name: 'helper' }),
      observation({
        parentObservationId: 'a',
        level: 'ERROR',
        statusMessage: '429 Rate limit reached',
        output: null,
      }),
    ]),
  )
  expect(call).toMatchObject({
    thread: { id: 'a', name: 'helper' },
    answer: { error: 'Rate limit reached', status: 429 },
  })
})

test.for([
  [
    'Python’s repr',
    ["role='system' content='Be brief.' name=None", "role='user' content='Hi' name=None"],
  ],
  ['lines with roles', 'developer: Be brief.\nuser: Hi'],
])('Langfuse: messages that are %s are not guessed at', ([, input]) => {
  const [call] = callsOf(JSON.stringify(observation({ input: input! })))
  expect(call!.prompt.messages).toBeUndefined()
  expect(call!.notHeld).toContain('messages')
  expect(call!.answer.text).toBe('Hello')
})

test('Langfuse: what an answer repeats of its request is no parameter of it', () => {
  const [call] = callsOf(
    JSON.stringify(
      observation({
        model: 'gpt-9-2026-01-01',
        modelParameters: { id: 'resp_1', created_at: 1, temperature: 1, top_p: 1 },
        output: {
          id: 'resp_1',
          object: 'response',
          instructions: 'Be brief.',
          tools: [{ type: 'function', name: 'weather', parameters: { type: 'object' } }],
          output: [
            {
              type: 'function_call',
              call_id: 'c1',
              name: 'weather',
              arguments: '{"city":"Paris"}',
            },
          ],
        },
      }),
    ),
  )
  expect(printed(call!)).toEqual(['system: Be brief.', 'user: Hi'])
  expect(call).toMatchObject({
    dialect: 'openai-responses',
    prompt: { tools: [{ name: 'weather' }] },
    answer: { tool_calls: [{ id: 'c1', tool_name: 'weather', parameters: { city: 'Paris' } }] },
    notHeld: ['parameters', 'model'],
  })
})

const RUN = {
  id: 'r1',
  trace_id: 'r0',
  dotted_order: '20260102T030405678000Zr0.20260102T030405679000Zr1',
  name: 'ChatOpenAI',
  run_type: 'llm',
  start_time: START,
  inputs: {
    model: 'gpt-9',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
    extra_body: null,
  },
  extra: { metadata: { ls_provider: 'openai', thread_id: 's1' } },
}
const END = {
  dotted_order: RUN.dotted_order,
  end_time: '2026-01-02T03:04:06.678Z',
  outputs: {
    id: 'chatcmpl-1',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' },
    ],
    usage_metadata: { input_tokens: 7, output_tokens: 2 },
  },
}

test.for<[name: string, text: string]>([
  ['a run a line', JSON.stringify({ ...RUN, ...END })],
  ['a list of runs', JSON.stringify([{ ...RUN, ...END }])],
  ['a page of the API', JSON.stringify({ runs: [{ ...RUN, ...END }] })],
  ['the beginning and the end of a run', JSON.stringify({ post: [RUN], patch: [END] })],
  [
    'runs inside of runs',
    JSON.stringify({
      id: 'r0',
      trace_id: 'r0',
      run_type: 'chain',
      start_time: START,
      child_runs: [{ ...RUN, ...END }],
    }),
  ],
])('LangSmith: %s', ([, text]) => {
  const [call, ...others] = callsOf(text)
  expect(others).toEqual([])
  expect(printed(call!)).toEqual(['user: Hi'])
  expect(call).toMatchObject({
    traceId: 'r0',
    dialect: 'openai-chat',
    streamed: true,
    conversation: 's1',
    prompt: { provider: 'openai', model: 'gpt-9', parameters: {}, isWhole: true },
    answer: {
      text: 'Hello',
      finish_reasons: ['stop'],
      usage: { input_tokens: 7, output_tokens: 2 },
    },
    notHeld: [],
  })
})

test('LangSmith: the messages of LangChain', () => {
  const message = (type: string, kwargs: JsonObject): JsonValue => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', type],
    kwargs,
  })
  const calls = [{ name: 'weather', args: { city: 'Paris' }, id: 'c1', type: 'tool_call' }]
  const [call] = callsOf(
    JSON.stringify({
      ...RUN,
      inputs: {
        messages: [
          [
            message('SystemMessage', { content: 'Be brief.' }),
            message('HumanMessage', { content: 'Weather?' }),
            message('AIMessage', { content: '', tool_calls: calls }),
            message('ToolMessage', { content: 'rainy', tool_call_id: 'c1' }),
          ],
        ],
      },
      outputs: {
        generations: [
          [
            {
              text: 'Rainy.',
              generationInfo: { finish_reason: 'stop' },
              message: message('AIMessage', { content: 'Rainy.' }),
            },
          ],
        ],
      },
      extra: {
        invocation_params: {
          model: 'gpt-9',
          temperature: 0.5,
          _type: 'openai',
          tools: [
            { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } },
          ],
        },
      },
    }),
  )
  expect(printed(call!)).toEqual([
    'system: Be brief.',
    'user: Weather?',
    'assistant: weather({"city":"Paris"})',
    'result: rainy',
  ])
  expect(call).toMatchObject({
    prompt: { model: 'gpt-9', parameters: { temperature: 0.5 }, tools: [{ name: 'weather' }] },
    answer: { text: 'Rainy.', finish_reasons: ['stop'] },
  })
})

test('LangSmith: a run without its type', async () => {
  const read = (): unknown =>
    readTraces(JSON.stringify({ runs: [{ ...RUN, run_type: 7 }] }), 'runs.json')
  expect(read).toThrow(coded('invalid-cassette'))
  for (const fact of ['runs.json, run 1 ', ' run_type ', ' 7']) expect(read).toThrow(fact)
  await expectGolden(await failureHeadOf(read), 'run-without-type')
})

const ROW = {
  id: 'x1',
  span_id: 's1',
  root_span_id: 's0',
  span_parents: ['s0'],
  span_attributes: { name: 'Chat Completion', type: 'llm' },
  metrics: { start: 1_767_323_045.678, prompt_tokens: 7 },
  input: [{ role: 'user', content: 'Hi' }],
  metadata: { model: 'gpt-9', provider: 'openai', temperature: 0.5, tools: [] },
}

test.for<[name: string, text: string]>([
  ['rows, one a line', JSON.stringify(ROW)],
  ['a page of the API', JSON.stringify({ events: [ROW] })],
  ['rows that are sent', JSON.stringify({ rows: [ROW], api_version: 2 })],
])('Braintrust: %s', ([, text]) => {
  const end = { ...ROW, metrics: { end: 1_767_323_046.678, completion_tokens: 2 }, _is_merge: true }
  const output = [
    { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' },
  ]
  const [call, ...others] = callsOf(`${text}\n${JSON.stringify({ ...end, output })}`)
  expect(others).toEqual([])
  expect(printed(call!)).toEqual(['user: Hi'])
  expect(call).toMatchObject({
    traceId: 's0',
    start: '2026-01-02T03:04:05.678000000Z',
    prompt: { provider: 'openai', model: 'gpt-9', tools: [], parameters: { temperature: 0.5 } },
    answer: {
      text: 'Hello',
      finish_reasons: ['stop'],
      usage: { input_tokens: 7, output_tokens: 2 },
    },
  })
})

test('Braintrust: growing prompts order a tree without times', () => {
  const node = (input: JsonValue, output: string): JsonObject => ({
    name: 'call',
    type: 'llm',
    input,
    output,
    children: [],
  })
  const long = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'first' },
    { role: 'user', content: 'Bye' },
  ]
  const children = [node(long, 'second'), node([{ role: 'user', content: 'Hi' }], 'first')]
  const calls = callsOf(JSON.stringify({ span_tree: [{ name: 'root', type: 'task', children }] }))
  expect(calls.map(({ answer }) => answer.text)).toEqual(['first', 'second'])
  expect(calls[0]!.start).toBeUndefined()
})

const SPAN = {
  id: 'U3Bhbjox',
  name: 'ChatCompletion',
  context: { trace_id: 'f'.repeat(32), span_id: 'a'.repeat(16) },
  span_kind: 'LLM',
  parent_id: null,
  start_time: '2026-01-02T03:04:05.678+00:00',
  end_time: '2026-01-02T03:04:06.678+00:00',
  status_code: 'OK',
  status_message: '',
  attributes: {
    'llm.model_name': 'gpt-9',
    'llm.input_messages': [{ message: { role: 'user', content: 'Hi' } }],
    'llm.output_messages': [{ message: { role: 'assistant', content: 'Hello' } }],
  },
  events: [],
}

test.for<[name: string, value: JsonValue]>([
  ['a page of the API', { data: [SPAN], next_cursor: null }],
  ['a list of spans', [SPAN]],
  ['attributes in objects', [{ ...SPAN, attributes: nestedAttributes() }]],
  [
    'a data frame',
    [
      {
        name: SPAN.name,
        span_kind: 'LLM',
        parent_id: null,
        start_time: SPAN.start_time,
        end_time: SPAN.end_time,
        status_code: 'OK',
        'context.trace_id': SPAN.context.trace_id,
        'context.span_id': SPAN.context.span_id,
        'attributes.llm.model_name': 'gpt-9',
        'attributes.llm.input_messages': [{ 'message.role': 'user', 'message.content': 'Hi' }],
        'attributes.llm.output_messages': [
          { 'message.role': 'assistant', 'message.content': 'Hello' },
        ],
      },
    ],
  ],
  ['ids beside the other fields', { spans: [flatSpan()] }],
])('Phoenix: %s', ([, value]) => {
  const [call, ...others] = callsOf(JSON.stringify(value))
  expect(others).toEqual([])
  expect(printed(call!)).toEqual(['user: Hi'])
  expect(call).toMatchObject({
    emitter: 'OpenInference',
    traceId: 'f'.repeat(32),
    durationMs: 1_000,
    prompt: { model: 'gpt-9' },
    answer: { text: 'Hello' },
  })
})

function flatSpan(): JsonObject {
  const { context, ...span } = SPAN
  return { ...span, ...context }
}

function nestedAttributes(): JsonObject {
  const { attributes } = SPAN
  return {
    openinference: { span: { kind: 'LLM' } },
    llm: {
      model_name: 'gpt-9',
      input_messages: attributes['llm.input_messages'],
      output_messages: attributes['llm.output_messages'],
    },
  }
}

test('Phoenix: an error', () => {
  const [call] = callsOf(
    JSON.stringify([
      { ...SPAN, status_code: 'ERROR', status_message: 'RateLimitError: slow down' },
    ]),
  )
  expect(call!.answer).toMatchObject({ error: 'slow down', status: 429 })
})

/** Spans of Python's SDK as its console exporter prints them: one behind the other, over many lines, some of them twice. */
function printedByPython(): string {
  const span = (id: string, parent: string | null, more: JsonObject): JsonObject => ({
    name: 'chat',
    context: { trace_id: `0x${'f'.repeat(32)}`, span_id: `0x${id.repeat(16)}`, trace_state: '[]' },
    kind: 'SpanKind.CLIENT',
    parent_id: parent,
    start_time: '2026-01-02T03:04:05.678000Z',
    end_time: '2026-01-02T03:04:06.678000Z',
    status: { status_code: 'UNSET' },
    attributes: {},
    events: [],
    links: [],
    resource: { attributes: {}, schema_url: '' },
    ...more,
  })
  const agent = span('a', null, {
    end_time: null,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'clerk' },
  })
  const call = span('b', `0x${'a'.repeat(16)}`, { attributes: chatOf('Hi', 'Hello') })
  return [agent, call, agent].map((one) => JSON.stringify(one, null, 4)).join('\n\n')
}

/** A span of JavaScript's SDK, as JSON has it. */
const OF_JAVASCRIPT = {
  name: 'chat',
  spanContext: { traceId: 'f'.repeat(32), spanId: 'b'.repeat(16) },
  parentSpanContext: { traceId: 'f'.repeat(32), spanId: 'a'.repeat(16) },
  startTime: [1_767_323_045, 678_000_000],
  endTime: [1_767_323_046, 678_000_000],
  status: { code: 0 },
  attributes: chatOf('Hi', 'Hello'),
  events: [],
}

test.for<[name: string, text: string]>([
  ['Python, as the console exporter prints them', printedByPython()],
  ['JavaScript', JSON.stringify([OF_JAVASCRIPT])],
])('spans of an OpenTelemetry SDK: %s', ([, text]) => {
  const [call, ...others] = callsOf(text)
  expect(others).toEqual([])
  expect(printed(call!)).toEqual(['user: Hi'])
  expect(call).toMatchObject({
    traceId: 'f'.repeat(32),
    spanId: 'b'.repeat(16),
    start: '2026-01-02T03:04:05.678000000Z',
    durationMs: 1_000,
    prompt: { model: 'gpt-9' },
    answer: { text: 'Hello' },
  })
})

test('spans of an OpenTelemetry SDK: an error, and a time that is none', () => {
  const failed = { ...OF_JAVASCRIPT, status: { code: 2, message: '429 slow down' } }
  expect(callsOf(JSON.stringify([failed]))[0]!.answer).toMatchObject({ status: 429 })
  const read = (): unknown =>
    callsOf(JSON.stringify([{ ...OF_JAVASCRIPT, startTime: ['soon', 1] }]))
  expect(read).toThrow(coded('invalid-cassette'))
  expect(read).toThrow(/ time .* list\b/)
})

const ASKED = { model: 'gpt-9', messages: [{ role: 'user', content: 'Hi' }], temperature: 0.5 }
const OF_MLFLOW = {
  name: 'Completions',
  context: { trace_id: `0x${'f'.repeat(32)}`, span_id: `0x${'b'.repeat(16)}` },
  parent_id: null,
  start_time: 1_767_323_045_678_000_000,
  end_time: 1_767_323_046_678_000_000,
  status_code: 'OK',
  attributes: {
    'mlflow.spanType': '"CHAT_MODEL"',
    'mlflow.spanInputs': JSON.stringify(ASKED),
    'mlflow.spanOutputs': JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    }),
    'mlflow.chat.tokenUsage': '{"input_tokens": 7, "output_tokens": 2}',
  },
}

test.for<[name: string, value: JsonValue]>([
  ['with what is known of the trace', { info: { trace_id: 'tr-1' }, data: { spans: [OF_MLFLOW] } }],
  ['its spans alone', { spans: [OF_MLFLOW], request: '{}', response: '{}' }],
])('MLflow: a trace, %s', ([, value]) => {
  const [call, ...others] = callsOf(JSON.stringify(value))
  expect(others).toEqual([])
  expect(printed(call!)).toEqual(['user: Hi'])
  expect(call).toMatchObject({
    emitter: 'MLflow',
    durationMs: 1_000,
    streamed: false,
    prompt: { model: 'gpt-9', parameters: { temperature: 0.5 }, isWhole: true },
    answer: { text: 'Hello', usage: { input_tokens: 7, output_tokens: 2 } },
  })
})

test('LangSmith: messages as the answer, alone or behind all that was said', () => {
  const said = [{ role: 'user', content: 'Hi' }]
  const answer = { role: 'assistant', content: 'Hello' }
  const texts = [[answer], [...said, answer]].map((messages) => {
    const run = { id: 'r', trace_id: 'r', run_type: 'llm', name: 'llm', start_time: START }
    const [call] = callsOf(
      JSON.stringify([{ ...run, inputs: { messages: said }, outputs: { messages } }]),
    )
    return call!.answer.text
  })
  expect(texts).toEqual(['Hello', 'Hello'])
})

test('OpenInference: what was said as one value', () => {
  const values = (input: JsonValue, output: JsonValue): string =>
    otlpOf([
      {
        id: 'a',
        attributes: {
          'openinference.span.kind': 'LLM',
          'input.value': typeof input === 'string' ? input : JSON.stringify(input),
          'output.value': typeof output === 'string' ? output : JSON.stringify(output),
        },
      },
    ])
  const [list] = callsOf(
    values([{ role: 'user', content: 'Hi' }], [{ role: 'assistant', content: 'Hello' }]),
  )
  const [plain] = callsOf(values('Hi', 'Hello'))
  for (const call of [list!, plain!])
    expect([printed(call), call.answer.text]).toEqual([['user: Hi'], 'Hello'])
})
