import { writeFrame } from '../../src/wire/amazon-frames.ts'
import type { Ask } from './case.ts'
import { ask, CHAT, edit, MISS, post, record, say, type MadeUp } from './make-case.ts'

const call = (id: string, city: string): object => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
})
/** Two calls and their results; `results` are the ids that the results name. */
const called = (one: string, two: string, results: [string, string] = [one, two]): object => ({
  messages: [
    { role: 'user', content: 'Compare.' },
    { role: 'assistant', tool_calls: [call(one, 'Ulm'), call(two, 'Bonn')] },
    { role: 'tool', tool_call_id: results[0], content: 'dry' },
    { role: 'tool', tool_call_id: results[1], content: 'wet' },
  ],
})
const FILES = 'https://api.openai.com/v1/files'
const lines = (...values: object[]): Ask =>
  post(values.map((value) => `${JSON.stringify(value)}\n`).join(''), FILES)
const batch = (one: string, two: string): Ask =>
  lines(called(one, two), { custom_id: '1', body: called(`${one}x`, `${two}x`) })

/** A form, as a browser sends it; parts are heads and contents. */
function form(boundary: string, ...parts: Array<[head: string[], content: string | Buffer]>): Ask {
  const pieces = parts.flatMap(([head, content]) => [
    Buffer.from(`--${boundary}\r\n${head.join('\r\n')}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return {
    method: 'POST',
    url: 'https://api.openai.com/v1/audio/transcriptions',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    base64: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]).toString('base64'),
  }
}
const named = (name: string): string[] => [`Content-Disposition: form-data; name="${name}"`]
const file = (type: string, ...more: string[]): string[] => [
  'content-disposition: form-data; name="file"; filename="a \\"b\\".wav"',
  `Content-Type: ${type}`,
  ...more,
]
const SOUND = Buffer.from('fffb90', 'hex')
const upload = (boundary: string, more: string[] = [], sound: string | Buffer = SOUND): Ask =>
  form(boundary, [named('model'), 'whisper-1'], [file('audio/wav', ...more), sound])
const cut = (asked: Ask, bytes: number): Ask => ({
  ...asked,
  base64: Buffer.from(asked.base64!, 'base64').subarray(0, -bytes).toString('base64'),
})

const frames = (...sent: Parameters<typeof writeFrame>): Ask => ({
  method: 'POST',
  url: 'https://bedrock-runtime.eu-west-1.amazonaws.com/model/nova/invoke-with-bidirectional-stream',
  base64: Buffer.concat(sent.map((frame) => writeFrame(frame))).toString('base64'),
})
const FRAMES: Parameters<typeof writeFrame> = [
  { event: 'chunk', chunk: { event: { text: 'Hi' } }, data: {} },
] as never

const properties = (...names: string[]): Ask =>
  ask('Judge.', {
    tools: [{ input_schema: { properties: Object.fromEntries(names.map((name) => [name, {}])) } }],
  })
const json = (body: string): Ask => post(body)
const at = (url: string): Ask => ask('a', {}, url)
const LOCAL = post({ model: 'm', messages: [] }, 'http://127.0.0.1:8080/v1/chat/completions')
const withHeaders = (headers: Record<string, string>): Ask => ({ ...ask('a'), headers })
const LLM = 'https://llm.example.com/v1/chat/completions'

/** Cases of the canonical form: what counts of a request. */
export const CANONICAL_CASES: Record<string, MadeUp> = {
  'calls-in-lines': {
    shows:
      'The ids of calls may change in JSON lines too: in a line itself, and in the request in it.',
    ...record([[batch('a', 'b'), say('a')]]),
    requests: [
      [lines(called('a', 'b', ['b', 'a']), { custom_id: '1', body: called('ax', 'bx') }), MISS],
      [batch('c', 'd'), 'exchange-1'],
    ],
  },
  'calls-inside': {
    shows: 'The ids of calls may change in a request that stands in another one.',
    ...record([
      [post([{ provider: 'openai', query: called('a', 'b') }], LLM), say('a')],
      [post({ input: called('a', 'b') }, LLM), say('b')],
    ]),
    requests: [
      [post([{ provider: 'openai', query: called('c', 'd', ['d', 'c']) }], LLM), MISS],
      [post([{ provider: 'openai', query: called('c', 'd') }], LLM), 'exchange-1'],
      [post({ input: called('c', 'd') }, LLM), 'exchange-2'],
    ],
  },
  'calls-typed': {
    shows: 'An id counts where the type of its object names no call.',
    ...record([[ask([{ type: 'text', text: 'a', id: 'text-1' }]), say('a')]]),
    requests: [
      [ask([{ type: 'text', text: 'a', id: 'text-2' }]), MISS],
      [ask([{ type: 'text', text: 'a', id: 'text-1' }]), 'exchange-1'],
    ],
  },
  form: {
    shows:
      'A form counts by its parts: not by its boundary, and not by encodings that leave content as it is.',
    ...record([[upload('x1'), say('a')]]),
    requests: [
      [upload('x2', [], Buffer.from('fffb91', 'hex')), MISS],
      [upload('x2', [], 'a text'), MISS],
      [upload('x2', ['Content-Transfer-Encoding: base64', 'Content-ID: 1']), MISS],
      [cut(upload('x2'), 8), MISS],
      [
        {
          ...upload('x2'),
          base64: Buffer.concat([
            Buffer.from('preamble\r\n'),
            Buffer.from(upload('x2').base64!, 'base64'),
          ]).toString('base64'),
        },
        MISS,
      ],
      [form('x2'), MISS],
      [upload('x2', ['Content-Transfer-Encoding: Binary', 'X-Other: 1']), 'exchange-1'],
    ],
  },
  frames: {
    shows: "A request of Amazon's frames counts by what they hold.",
    ...record([[frames(...FRAMES), say('a')]]),
    requests: [
      [
        {
          ...frames(...FRAMES),
          base64: Buffer.concat([
            Buffer.from(frames(...FRAMES).base64!, 'base64'),
            writeFrame({ headers: { ':exception-type': 'a' }, data: { b: 1 } }),
            writeFrame({ event: 'text', data: '{ "a": 1 }' }),
            Buffer.from('rest'),
          ]).toString('base64'),
        },
        MISS,
      ],
      [frames(...FRAMES), 'exchange-1'],
    ],
  },
  'lines-spelled': {
    shows:
      'Lines in two spellings are a text; a last line without its end is one in a list of lines.',
    ...record([
      [post('{"a":1}\n{"b": 2}\n', FILES), say('a')],
      [post('{"a":1}\n{"b":2}', FILES), say('b')],
    ]),
    requests: [
      [post('{"a":1}\n{"b":2}\n', FILES), MISS],
      [post('{"a":1}\n{"b": 2}\n', FILES), 'exchange-1'],
      [post('{"a":1}\n{"b":2}', FILES), 'exchange-2'],
    ],
  },
  'long-texts-measured': {
    shows:
      'A text is measured in UTF-16, after each U+0000 is doubled; one with half a surrogate pair stays as it is. Base64 is measured with its prefix.',
    ...record([[ask('a'), say('a')]]),
    requests: [
      [ask('😀'.repeat(600)), MISS],
      [ask('\0'.repeat(600)), MISS],
      [ask(`\ud83d${'a b '.repeat(300)}`), MISS],
      [ask(`data:image/png;base64,${'QUJD'.repeat(254)}`), MISS],
      [ask(`data:;base64,${'QUJD'.repeat(300)}`), MISS],
      [ask('a'), 'exchange-1'],
    ],
  },
  'numbers-beyond': {
    shows:
      'A number whose double is a whole one above 2^53 counts as it is spelled, unless that is the spelling of its double.',
    ...record([[json('{"a":9007199254740993.5}'), say('a')]]),
    requests: [
      [json('{"a":9007199254740994.5}'), MISS],
      [json('{"a":9007199254740991.25,"b":9007199254740991.5}'), MISS],
      [json('{"a":9007199254740994,"b":9007199254740993,"c":1e400,"d":-1E+400}'), MISS],
      [json('{"a":9007199254740993.5}'), 'exchange-1'],
    ],
  },
  'properties-numbers': {
    shows: 'Properties named by numbers come first, in numeric order, however they were sent.',
    ...record([
      [properties('b', '10', '9'), say('a')],
      [properties('b', '2'), say('b')],
    ]),
    requests: [
      [properties('2', 'c'), MISS],
      [properties('9', '10', 'b'), 'exchange-1'],
      [properties('2', 'b'), 'exchange-2'],
    ],
  },
  'headers-read': {
    shows: 'Headers count by their readings: formats, addresses, JSON, digests and sets.',
    ...record([[withHeaders({ accept: 'text/plain; q=0.5' }), say('a')]]),
    requests: [
      [
        withHeaders({ 'content-type': 'Audio/Wav; rate=1; codec=pcm; boundary=x;charset=utf-8' }),
        MISS,
      ],
      [withHeaders({ 'content-type': 'application/json; profile=a' }), MISS],
      [withHeaders({ accept: 'application/json; profile=a' }), MISS],
      [withHeaders({ accept: 'application/json; profile=a, text/csv' }), MISS],
      [withHeaders({ 'cf-aig-cache-key': 'mine' }), MISS],
      [withHeaders({ accept: 'text/plain, */*, image/png;q=0.1, audio/mpeg' }), MISS],
      [
        withHeaders({ 'x-base-url': 'http://127.0.0.1:8080/v1?key=a', 'helicone-user': 'me' }),
        MISS,
      ],
      [withHeaders({ 'x-base-url': 'none' }), MISS],
      [
        withHeaders({ 'x-portkey-config': '{"b": 1.0, "apiKey": "abc", "10": ["x"], "9": null}' }),
        MISS,
      ],
      [withHeaders({ 'x-portkey-config': 'pc-1', prefer: 'Wait, wait,respond-async' }), MISS],
      [withHeaders({ accept: 'TEXT/PLAIN ; Q=0.7' }), 'exchange-1'],
    ],
  },
  'headers-host': {
    shows: 'The host that a header names counts where it is another than that of the address.',
    ...record([
      [{ ...LOCAL, headers: { host: 'Model-A.example:8080' } }, say('1')],
      [{ ...LOCAL, headers: { host: 'localhost:9090' } }, say('2')],
      [{ ...LOCAL, headers: { host: 'one.openai.azure.com' } }, say('3')],
    ]),
    requests: [
      [{ ...LOCAL, headers: { host: 'model-b.example' } }, MISS],
      [{ ...LOCAL, headers: { host: 'model-a.example' } }, 'exchange-1'],
      [LOCAL, 'exchange-2'],
      [{ ...LOCAL, headers: { host: 'other.openai.azure.com' } }, 'exchange-3'],
    ],
  },
  'headers-set': {
    shows: 'A set of the file is read again, so that who edits it need not sort it.',
    ...edit(record([[withHeaders({ 'openai-beta': 'b, a' }), say('a')]]), (stored) => {
      stored.exchanges[0].wire.request.headers['openai-beta'] = 'b,a'
    }),
    requests: [[withHeaders({ 'openai-beta': 'a,b' }), 'exchange-1']],
    edited: ['exchanges'],
  },
  'query-names': {
    shows:
      'Names of parameters count in their letters, values of one name in their order, and credentials by the words of their names.',
    ...record([[at(`${LLM}?Model=a&tag=1&tag=0&empty=`), say('a')]]),
    requests: [
      [at(`${LLM}?model=a&tag=1&tag=0&empty=`), MISS],
      [at(`${LLM}?Model=a&tag=0&tag=1&empty=`), MISS],
      [at(`${LLM}?Model=a&tag=1&tag=0&empty=&sort_key=a`), MISS],
      [at(`${LLM}?Model=a&tag=1&tag=0&empty=&code=short`), MISS],
      [at(`${LLM}?Model=a&tag=1&tag=0&empty=&a%3Db%25=1`), MISS],
      [
        at(
          `${LLM}?AWSAccessKeyId=a&clientToken=b&tag=1&code=12345678901234567890&X-Amz-Date=c&Model=a&apikey=d&tag=0&empty=`,
        ),
        'exchange-1',
      ],
    ],
  },
  'path-spelled': {
    shows:
      'A path counts as the URL standard spells it, `^` as `%5E`, however old the standard is.',
    ...record([[at('https://llm.example.com/v1/a^b/../c^/d e'), say('a')]]),
    requests: [
      [at('https://llm.example.com/v1/c/d%20e'), MISS],
      [at('https://llm.example.com/v1/./c^/d%20e'), 'exchange-1'],
    ],
  },
  'word-for-word': {
    shows: 'Among exchanges with equal prompts, an exact copy of the request goes first.',
    ...record([
      [post(called('a', 'b'), CHAT), say('a')],
      [post(called('c', 'd'), CHAT), say('b')],
    ]),
    requests: [
      [post(called('c', 'd'), CHAT), 'exchange-2'],
      [post(called('c', 'd'), CHAT), 'exchange-1'],
    ],
  },
}
