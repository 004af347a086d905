import { splitFrames, writeFrame } from '../../src/wire/amazon-frames.ts'
import { jsonOf, writeBody, type Body } from '../../src/wire/body.ts'
import { tryParseJson } from '../../src/json/json-value.ts'

export const STREAM = 'text/event-stream'

export function events(values: unknown[], name?: string): string {
  const head = name === undefined ? '' : `event: ${name}\n`
  return values.map((value) => `${head}data: ${JSON.stringify(value)}\n\n`).join('')
}

/** How a text streams in one wire format: its pieces, written as a body, and read again. */
interface Format {
  contentType: string
  write: (pieces: string[]) => Buffer
  read: (body: Body) => string
}

function eventFormat(wrap: (piece: string, position: number) => unknown, name?: string): Format {
  const piecesOf = (body: Body): string =>
    body.kind === 'events'
      ? body.events.map((event) => pieceIn(typeof event === 'string' ? event : event.data)).join('')
      : ''
  return {
    contentType: STREAM,
    write: (pieces) => Buffer.from(events(pieces.map(wrap), name)),
    read: piecesOf,
  }
}

/** The one text of the event that is marked as a piece. */
function pieceIn(value: unknown): string {
  let found = ''
  const parsed = typeof value === 'string' ? tryParseJson(value.replace(/^data: /, '')) : value
  JSON.stringify(parsed, (key, child: unknown) => {
    if (['content', 'text', 'delta', 'partial_json', 'arguments', 'foreign'].includes(key))
      if (typeof child === 'string') found += child
    return child
  })
  return found
}

/** One text, streamed in each of the wire formats. */
export const STREAMED_TEXTS: Record<string, Format> = {
  'openai-chat': eventFormat((content) => ({
    id: 'chatcmpl-1',
    choices: [{ index: 0, delta: { content } }],
  })),
  'openai-chat arguments': eventFormat((piece, position) => ({
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            position === 0
              ? { index: 0, id: 'call_1', type: 'function', function: { arguments: piece } }
              : { index: 0, function: { arguments: piece } },
          ],
        },
      },
    ],
  })),
  'anthropic arguments': eventFormat(
    (partial_json) => ({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json },
    }),
    'content_block_delta',
  ),
  responses: eventFormat((delta, sequence_number) => ({
    type: 'response.output_text.delta',
    output_index: 0,
    sequence_number,
    delta,
  })),
  'gemini interactions': eventFormat((text) => ({
    event_type: 'step.delta',
    index: 0,
    delta: { type: 'text', text },
  })),
  'hugging face': eventFormat((text, index) => ({ index, token: { id: index, text } })),
  'a format of its own': eventFormat((foreign) => ({ a: [{ foreign }] })),
  'nova, a block for every piece': eventFormat((text, contentBlockIndex) => ({
    contentBlockDelta: { delta: { text }, contentBlockIndex },
  })),
  'gemini as a list in a spelling of its own': {
    contentType: 'application/json',
    write: (pieces) =>
      Buffer.from(
        `[${pieces
          .map((text) => JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] }))
          .join('\n,\r\n')}\n]`,
      ),
    read: (body) => pieceIn(jsonOf(body)),
  },
  'gemini as a list': {
    contentType: 'application/json',
    write: (pieces) =>
      Buffer.from(
        JSON.stringify(
          pieces.map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] })),
          undefined,
          2,
        ),
      ),
    read: (body) => (body.kind === 'json' ? pieceIn(body.value) : ''),
  },
  ollama: {
    contentType: 'application/x-ndjson',
    write: (pieces) =>
      Buffer.from(
        pieces.map((content) => `${JSON.stringify({ message: { content } })}\n`).join(''),
      ),
    read: (body) => (body.kind === 'lines' ? pieceIn(body.lines) : ''),
  },
  'bedrock invoke': {
    contentType: 'application/vnd.amazon.eventstream',
    write: (pieces) =>
      Buffer.concat(
        pieces.map((text) =>
          writeFrame({
            event: 'chunk',
            data: { p: 'abc' },
            chunk: { type: 'content_block_delta', index: 0, delta: { text } },
          }),
        ),
      ),
    read: (body) =>
      body.kind === 'frames' ? pieceIn(splitFrames(Buffer.concat(writeBody(body)))) : '',
  },
}
