import type { ServerResponse } from 'node:http'
import * as zlib from 'node:zlib'

/** What a request to the odd server says, as far as answers depend on it. */
export interface Question {
  path: string
  /** The last thing said. */
  text: string
  stream: boolean
}

const COMPRESSORS: Record<string, (text: string) => Buffer> = {
  br: zlib.brotliCompressSync,
  deflate: zlib.deflateSync,
  gzip: zlib.gzipSync,
  // Node has it from 22.15 on.
  zstd: zlib.zstdCompressSync,
}

/** Answers the bodies that are no plain completion; false when the question asks for none of them. */
export function answerOddly(
  { path, text, stream }: Question,
  completion: object,
  response: ServerResponse,
): boolean {
  const [command = ''] = text.split(' ')
  const json = { 'content-type': 'application/json' }
  if (command in COMPRESSORS) {
    send(
      response,
      { ...json, 'content-encoding': command },
      COMPRESSORS[command]!(JSON.stringify(completion)),
    )
  } else if (command === 'stream-gzip') {
    const headers = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }
    send(response, headers, zlib.gzipSync(stream3().join('')))
  } else if (command === 'broken') {
    send(response, json, '{"id":"odd-1", "choices":')
  } else if (command === 'latin') {
    // A lone 0xE9 is é in Latin-1 and nothing in UTF-8.
    send(response, { 'content-type': 'text/plain' }, Buffer.from('caf\u00e9', 'latin1'))
  } else if (command === 'empty') {
    send(response, {}, '')
  } else if (command === 'nothing') {
    response.writeHead(204).end()
  } else if (command === 'lump') {
    send(response, { 'content-type': 'text/event-stream' }, stream3().join(''))
  } else if (command === 'torn') {
    response.writeHead(200, { ...json, 'content-length': 1_000 })
    response.write('{"id":"odd-1",', () => setTimeout(() => response.destroy(), 20))
  } else if (command === 'redirect' && !path.startsWith('/moved')) {
    const [, status = '307'] = text.split(' ')
    const location = `/moved${path}?api-version=2&key=hunter2`
    response.writeHead(Number(status), { location, 'content-type': 'text/plain' }).end('Moved.')
  } else if (command === 'short-length') {
    response.writeHead(200, { ...json, 'content-length': 12 }).end(JSON.stringify(completion))
  } else if (command === 'long-length') {
    response.writeHead(200, { ...json, 'content-length': 1_000 })
    response.write(JSON.stringify(completion), () => response.socket!.end())
  } else if (command === 'bad-event') {
    const broken = 'data: {"id":"odd-1","choices":[{"index":0,"delta":{"content":"two \n\n'
    send(response, { 'content-type': 'text/event-stream' }, stream3().with(1, broken).join(''))
  } else if (command === 'new-event') {
    const unknown = 'event: surprise\ndata: {"type":"surprise","text":"Boo."}\n\n'
    send(
      response,
      { 'content-type': 'text/event-stream' },
      stream3().toSpliced(1, 0, unknown).join(''),
    )
  } else if (command === 'page') {
    const [, status = '200'] = text.split(' ')
    response.writeHead(Number(status), { 'content-type': 'text/html' })
    response.end('<html>Sign in</html>')
  } else if (command === 'another-api') {
    send(response, json, '{"ok":1}')
  } else if (command === 'halved') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(stream3()[0], () => setTimeout(() => response.end(), 30))
  } else if (command === 'spelled') {
    send(response, { 'content-type': 'text/event-stream' }, spelled(text).join(''))
  } else if (command === 'tokens') {
    if (stream) send(response, { 'content-type': 'text/event-stream' }, tokensStreamed(path))
    else send(response, json, JSON.stringify({ ...completion, ...tokens(path) }))
  } else return false
  return true
}

function send(
  response: ServerResponse,
  headers: Record<string, string>,
  body: string | Buffer,
): void {
  response.writeHead(200, headers).end(body)
}

/** Three events, the second with a comment and a character that has four bytes. */
function stream3(): string[] {
  const chunk = (content: string, finish_reason: string | null): string =>
    JSON.stringify({ id: 'odd-1', choices: [{ index: 0, delta: { content }, finish_reason }] })
  return [
    `data: ${chunk('one ', null)}\n\n`,
    `: a comment\ndata: ${chunk('two 🎈', 'stop')}\n\n`,
    'data: [DONE]\n\n',
  ]
}

/** The text itself, four characters to an event. */
function spelled(text: string): string[] {
  const chunks = (text.match(/.{1,4}/gs) ?? []).map((content) => ({
    id: 'odd-1',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }))
  return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n']
}

/** Usage as each provider counts cached and reasoning tokens; aimock has no such figures. */
function tokens(path: string): object {
  if (path.endsWith('/messages')) {
    return {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Counted.' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 40,
        output_tokens: 30,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 5,
      },
    }
  }
  if (path.endsWith('/responses')) {
    return {
      object: 'response',
      status: 'completed',
      output: [
        {
          type: 'message',
          id: 'msg-1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Counted.', annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 100,
        output_tokens: 30,
        total_tokens: 130,
        input_tokens_details: { cached_tokens: 60 },
        output_tokens_details: { reasoning_tokens: 20 },
      },
    }
  }
  return {
    usage: {
      prompt_tokens: 100,
      completion_tokens: 30,
      total_tokens: 130,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
  }
}

function tokensStreamed(path: string): string {
  const event = (data: { type: string }): string =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
  const { usage, ...answer } = tokens(path) as { usage: object; output?: object[] }
  const response = { id: 'odd-1', model: 'odd', ...answer }
  if (path.endsWith('/messages')) {
    const message = {
      ...response,
      content: [],
      stop_reason: null,
      usage: { ...usage, output_tokens: 1 },
    }
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Counted.' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 30 },
      },
      { type: 'message_stop' },
    ]
      .map(event)
      .join('')
  }
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    {
      type: 'response.output_text.delta',
      item_id: 'msg-1',
      output_index: 0,
      content_index: 0,
      delta: 'Counted.',
    },
    { type: 'response.completed', response: { ...response, usage } },
  ]
    .map(event)
    .join('')
}
