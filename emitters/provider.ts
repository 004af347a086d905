import { createServer, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { BUSY, type Said, saidAfter } from './agent.ts'

/** A provider of its own process that answers as OpenAI and Anthropic do. Prints its address. */
const server = createServer(async (request, response) => {
  const body = (await json(request)) as any
  const wire = WIRES.find(({ path }) => request.url!.split('?')[0]!.endsWith(path))
  if (!wire) return void response.writeHead(404).end()
  const items = wire.itemsOf(body)
  if (JSON.stringify(items.at(-1)).includes(BUSY)) {
    response.writeHead(429, { 'content-type': 'application/json', 'x-should-retry': 'false' })
    return void response.end(JSON.stringify(wire.busy))
  }
  const results = items.flatMap(wire.resultsIn).length
  const said = saidAfter(results, wire.resultsIn(items.at(-1)).length > 0)
  if (!body.stream) {
    response.writeHead(200, { 'content-type': 'application/json' })
    return void response.end(JSON.stringify(wire.whole(said, body)))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  sendEvents(response, wire.events(said, body))
})

server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port))

function sendEvents(response: ServerResponse, events: readonly object[]): void {
  for (const event of events) {
    const { type } = event as { type?: string }
    response.write(`${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  }
  if (!('type' in events[0]!)) response.write('data: [DONE]\n\n')
  response.end()
}

interface Wire {
  path: string
  itemsOf(body: any): any[]
  resultsIn(item: any): unknown[]
  whole(said: Said, asked: any): object
  events(said: Said, asked: any): object[]
  busy: object
}

let made = 0

const chat: Wire = {
  path: '/chat/completions',
  itemsOf: ({ messages }) => messages,
  resultsIn: (message) => (message.role === 'tool' ? [message] : []),
  busy: { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } },
  whole: (said, { model }) => ({
    ...chatHead(model, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: said.text ?? null,
          refusal: null,
          ...(said.calls ? { tool_calls: chatCalls(said) } : {}),
        },
        logprobs: null,
        finish_reason: said.calls ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 30, completion_tokens: 10, total_tokens: 40 },
  }),
  events: (said, { model }) => {
    const head = chatHead(model, 'chat.completion.chunk')
    const chunk = (delta: object, finish_reason: string | null = null): object => ({
      ...head,
      choices: [{ index: 0, delta, finish_reason }],
    })
    return [
      chunk({ role: 'assistant', content: '' }),
      ...words(said.text).map((content) => chunk({ content })),
      ...chatCalls(said).flatMap((call, index) => [
        chunk({
          tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }],
        }),
        chunk({ tool_calls: [{ index, function: { arguments: call.function.arguments } }] }),
      ]),
      chunk({}, said.calls ? 'tool_calls' : 'stop'),
      {
        ...head,
        choices: [],
        usage: { prompt_tokens: 30, completion_tokens: 10, total_tokens: 40 },
      },
    ]
  },
}

function chatHead(model: string, object: string): object {
  return { id: `chatcmpl-${++made}`, object, created: 1_700_000_000, model: `${model}-2026-01-01` }
}

function chatCalls({ calls = [] }: Said) {
  return calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
}

const responses: Wire = {
  path: '/responses',
  itemsOf: ({ input }) => (typeof input === 'string' ? [{ role: 'user', content: input }] : input),
  resultsIn: ({ type }) => (type === 'function_call_output' ? [type] : []),
  busy: chat.busy,
  whole: (said, asked) => responseOf(said, asked),
  events: (said, asked) => {
    const whole = responseOf(said, asked)
    const { output, ...head } = whole as { output: any[] }
    const start = { ...head, status: 'in_progress', output: [] }
    const events = [
      { type: 'response.created', response: start },
      ...output.flatMap((item, output_index) => eventsOfItem(item, output_index)),
      { type: 'response.completed', response: whole },
    ]
    return events.map((event, sequence_number) => ({ ...event, sequence_number }))
  },
}

function responseOf(
  said: Said,
  { model, instructions = null, temperature = 1, tools = [], max_output_tokens = null }: any,
): object {
  const id = ++made
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    error: null,
    incomplete_details: null,
    // As OpenAI does, it repeats what was asked.
    instructions,
    max_output_tokens,
    metadata: {},
    model: `${model}-2026-01-01`,
    output: [
      ...(said.text
        ? [
            {
              id: `msg_${id}`,
              type: 'message',
              status: 'completed',
              role: 'assistant',
              content: [{ type: 'output_text', text: said.text, annotations: [] }],
            },
          ]
        : []),
      ...(said.calls ?? []).map(({ id: call_id, name, input }) => ({
        id: `fc_${call_id}`,
        type: 'function_call',
        status: 'completed',
        call_id,
        name,
        arguments: JSON.stringify(input),
      })),
    ],
    parallel_tool_calls: true,
    temperature,
    tool_choice: 'auto',
    tools,
    top_p: 1,
    usage: {
      input_tokens: 30,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 40,
    },
  }
}

function eventsOfItem(item: any, output_index: number): object[] {
  const place = { item_id: item.id, output_index }
  const end = { type: 'response.output_item.done', output_index, item }
  const begin = (fields: object): object => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, status: 'in_progress', ...fields },
  })
  if (item.type === 'function_call')
    return [
      begin({ arguments: '' }),
      { type: 'response.function_call_arguments.delta', ...place, delta: item.arguments },
      { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments },
      end,
    ]
  const [part] = item.content
  const text = { ...place, content_index: 0 }
  return [
    begin({ content: [] }),
    { type: 'response.content_part.added', ...text, part: { ...part, text: '' } },
    ...words(part.text).map((delta) => ({ type: 'response.output_text.delta', ...text, delta })),
    { type: 'response.output_text.done', ...text, text: part.text },
    { type: 'response.content_part.done', ...text, part },
    end,
  ]
}

const messages: Wire = {
  path: '/messages',
  itemsOf: ({ messages }) => messages,
  resultsIn: ({ content }) =>
    Array.isArray(content) ? content.filter(({ type }) => type === 'tool_result') : [],
  busy: { type: 'error', error: { type: 'rate_limit_error', message: 'Rate limit reached' } },
  whole: (said, { model }) => ({
    ...messageHead(model),
    content: blocksOf(said),
    stop_reason: said.calls ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 30, output_tokens: 10 },
  }),
  events: (said, { model }) => [
    {
      type: 'message_start',
      message: {
        ...messageHead(model),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 30, output_tokens: 1 },
      },
    },
    ...blocksOf(said).flatMap((block: any, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} },
      },
      ...(block.type === 'text'
        ? words(block.text).map((text) => ({ type: 'text_delta', text }))
        : [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }]
      ).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: said.calls ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: 'message_stop' },
  ],
}

function messageHead(model: string): object {
  return { id: `msg_${++made}`, type: 'message', role: 'assistant', model }
}

function blocksOf({ text, calls = [] }: Said): object[] {
  return [
    ...(text ? [{ type: 'text', text }] : []),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ]
}

function words(text = ''): string[] {
  return text.match(/\S+\s*/g) ?? []
}

const WIRES = [chat, responses, messages]
