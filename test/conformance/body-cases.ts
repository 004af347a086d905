import { gzipSync } from 'node:zlib'
import type { Ask } from './case.ts'
import {
  ask,
  post,
  say,
  record,
  edit,
  MISS,
  HELLO,
  ONE,
  SSE,
  stream,
  STREAMED,
  type MadeUp,
} from './make-case.ts'

const LONG =
  'You are the assistant of a shop. Answer in one sentence, and be kind to whoever asks.\n'.repeat(
    5,
  )
const TURNS = [
  { role: 'system', content: LONG },
  { role: 'user', content: 'Where is my order?' },
  { role: 'assistant', content: 'It was shipped on Friday, with the number 4711.' },
  { role: 'user', content: 'When does it come?' },
  { role: 'assistant', content: 'It comes on Monday, between nine and twelve o’clock.' },
  { role: 'user', content: 'Thank you.' },
]
const turn = (count: number): Ask => post({ model: 'gpt-5', messages: TURNS.slice(0, count) })
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(900, 7)]).toString(
  'base64',
)
const picture = (base64: string): Ask =>
  ask([{ type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } }])
const LINES = [
  '{"custom_id":"a","body":{"model":"gpt-5"}}',
  '{"custom_id":"b","body":{"model":"gpt-5"}}',
]

/** Cases of bodies: how they are stored, and come back. */
export const BODY_CASES: Record<string, MadeUp> = {
  turns: {
    shows: 'A conversation sends its history in each request; the file holds each message once.',
    ...record([
      [turn(2), say(TURNS[2]!.content)],
      [turn(4), say(TURNS[4]!.content)],
      [turn(6), say('You are welcome.')],
    ]),
    requests: [
      [turn(2), 'exchange-1'],
      [turn(4), 'exchange-2'],
      [turn(6), 'exchange-3'],
    ],
  },
  stringified: {
    shows: 'A long text that is JSON is stored as its value, and comes back letter for letter.',
    ...record([
      [
        ask('Go.'),
        {
          sent: JSON.stringify({
            choices: [
              {
                message: {
                  tool_calls: [
                    {
                      id: 'c',
                      function: {
                        name: 'write',
                        arguments: JSON.stringify({ text: LONG, n: 1 }, null, 2),
                      },
                    },
                  ],
                },
              },
            ],
          }),
        },
      ],
    ]),
    requests: [[ask('Go.'), 'exchange-1']],
  },
  escaped: {
    shows: 'An object that has a reserved key of its own is wrapped in $json.',
    ...record([
      [
        ask('Go.', { metadata: { $text: ['a'], $same: 'exchange-1' } }),
        { sent: '{"$blob":"none","a":{"$json":1}}' },
      ],
    ]),
    requests: [
      [ask('Go.', { metadata: { $same: 'exchange-1', $text: ['a'] } }), 'exchange-1'],
      [ask('Go.', { metadata: 'a' }), MISS],
    ],
  },
  stream: {
    shows:
      'Events that differ in few places are stored as one, and each is one piece of the answer.',
    ...record([[ask('Hi', { stream: true }), { ...SSE, sent: STREAMED }]]),
    requests: [[ask('Hi', { stream: true }), 'exchange-1']],
  },
  'stream-spelling': {
    shows:
      'CRLF, spaces, an event with a name, a comment and an event without its end come back byte for byte.',
    ...record([
      [
        HELLO,
        {
          ...SSE,
          sent:
            ': comment\r\n\r\n' +
            stream('\r\n', '{"a": 1, "b": [1, 2]}', '{"a": 2, "b": [1, 2]   }') +
            'event: end\r\ndata: {"a": 3, "b": []}\r\n\r\ndata: {"a"',
        },
      ],
    ]),
    requests: [[HELLO, 'exchange-1']],
  },
  'json-spelling': {
    shows:
      'Indentation, escaped characters, the spelling of numbers and a line end come back byte for byte.',
    ...record([
      [
        HELLO,
        {
          sent: '{\n  "name": "J\\u00fcrgen \\ud83d\\ude00",\n  "score": 1.0,\n  "small": 1e-7,\n  "id": 12345678901234567890,\n  "none": {},\n  "list": [\n    1,\n    []\n  ]\n}\n',
        },
      ],
    ]),
    requests: [[HELLO, 'exchange-1']],
  },
  'json-lines': {
    shows: 'An answer of JSON lines, with a line that is no object; a request of JSON lines.',
    ...record([
      [
        post(LINES.join('\n') + '\n', 'https://api.openai.com/v1/files'),
        { headers: { 'content-type': 'application/x-ndjson' }, sent: '{"a":1}\n\n{"a":2}\n{"a"' },
      ],
    ]),
    requests: [
      [post(LINES.join('\n') + '\n', 'https://api.openai.com/v1/files'), 'exchange-1'],
      [post(LINES.toReversed().join('\n') + '\n', 'https://api.openai.com/v1/files'), MISS],
    ],
  },
  picture: {
    shows: 'A picture in a request is stored in its own file and compared by its content.',
    ...record([[picture(PNG), say('Grey.')]]),
    requests: [
      [picture(PNG.replace('BwcH', 'CAgI')), MISS],
      [picture(PNG), 'exchange-1'],
    ],
  },
  'picture-edited': {
    shows: 'A blob whose content is not that of its name is refused.',
    ...record([[picture(PNG), say('Grey.')]]),
    blobs: Object.fromEntries(
      Object.keys(record([[picture(PNG), say('Grey.')]]).blobs!).map((name) => [
        name,
        Buffer.from('other').toString('base64'),
      ]),
    ),
    requests: [],
    unreadable: 'blob',
  },
  'blob-outside': {
    shows: 'A blob names a file of the folder blobs, by its hash, and nothing else.',
    ...edit(ONE, (file) => {
      file.exchanges[0].wire.request.body.messages[0].content = { $blob: '../../etc/passwd' }
    }),
    requests: [],
    unreadable: 'blob',
  },
  bytes: {
    shows: 'Bytes that are no text are stored as base64; of a request, their hash counts.',
    ...record([
      [
        { method: 'POST', url: 'https://api.openai.com/v1/audio/x', base64: '/wAB/g==' },
        {
          headers: { 'content-type': 'audio/mpeg' },
          body: { kind: 'bytes', bytes: Buffer.from('fffb9000', 'hex') },
        },
      ],
    ]),
    requests: [
      [{ method: 'POST', url: 'https://api.openai.com/v1/audio/x', base64: '/wAB/Q==' }, MISS],
      [
        { method: 'POST', url: 'https://api.openai.com/v1/audio/x', base64: '/wAB/g==' },
        'exchange-1',
      ],
    ],
  },
  gzip: {
    shows: 'A compressed request is compared by its content.',
    ...ONE,
    requests: [
      [
        {
          ...HELLO,
          headers: { 'content-encoding': 'gzip' },
          body: undefined,
          base64: gzipSync(HELLO.body!, { level: 0 }).toString('base64'),
        },
        'exchange-1',
      ],
    ],
  },
  empty: {
    shows: 'A request and an answer without a body.',
    ...record([
      [
        { method: 'DELETE', url: 'https://api.openai.com/v1/files/file-1' },
        { status: 204, headers: {}, body: { kind: 'empty' } },
      ],
    ]),
    requests: [
      [{ method: 'DELETE', url: 'https://api.openai.com/v1/files/file-2' }, MISS],
      [{ method: 'DELETE', url: 'https://api.openai.com/v1/files/file-1' }, 'exchange-1'],
    ],
  },
  error: {
    shows: 'An error is an answer like any other.',
    ...record([
      [
        HELLO,
        {
          status: 429,
          headers: { 'content-type': 'application/json', 'retry-after': '7' },
          sent: '{"error":{"message":"Slow down."}}',
        },
      ],
    ]),
    requests: [[HELLO, 'exchange-1']],
  },
  cut: {
    shows: 'A connection that broke breaks again, after the same bytes.',
    ...record([[HELLO, { ...SSE, sent: 'data: {"a":1}\n\ndata: {"a', cut: true }]]),
    requests: [[HELLO, 'exchange-1']],
  },
  kept: {
    shows: 'A response marked as kept or mocked replays like any other.',
    ...record([[HELLO, { ...SSE, sent: STREAMED }]], { noted: { kept: true, mocked: true } }),
    requests: [[HELLO, 'exchange-1']],
  },
  aborted: {
    shows: 'Where the client gave up, a replay sends nothing more.',
    ...record([[HELLO, { ...SSE, sent: STREAMED, aborted: 2 }]]),
    requests: [[HELLO, 'exchange-1']],
  },
}
