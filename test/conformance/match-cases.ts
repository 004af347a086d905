import { OF_BYTES, PROTOCOLS } from '../../src/engine/session/framing.ts'
import type { Ask } from './case.ts'
import {
  ask,
  post,
  say,
  record,
  written,
  edit,
  imported,
  MISS,
  HELLO,
  ONE,
  TWO,
  type MadeUp,
} from './make-case.ts'

const TWICE = record([
  [HELLO, say('Let me look.')],
  [HELLO, say('It was shipped.')],
])
const called = (one: string, two: string, results: [string, string] = [one, two]): Ask =>
  post({
    model: 'gpt-5',
    messages: [
      { role: 'user', content: 'Compare.' },
      { role: 'assistant', content: null, tool_calls: [call(one, 'Ulm'), call(two, 'Bonn')] },
      { role: 'tool', tool_call_id: results[0], content: 'dry' },
      { role: 'tool', tool_call_id: results[1], content: 'wet' },
    ],
  })
const call = (id: string, city: string): object => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
})
const RESPONSES = 'https://api.openai.com/v1/responses'
const far = (call_id: string): Ask =>
  post(
    {
      model: 'gpt-5',
      previous_response_id: 'resp_1',
      input: [{ type: 'function_call_output', call_id, output: 'dry' }],
    },
    RESPONSES,
  )
const schema = (...names: string[]): Ask =>
  ask('Judge.', {
    response_format: {
      type: 'json_schema',
      json_schema: {
        schema: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
        },
      },
    },
  })
const A = '0b8f6c1e-7a35-4c7e-9d5f-2f1f6f0b1a11'
const B = '11112222-3333-4444-8555-666677778888'
const session = (id: string): Ask => ask(`Session ${id}: where is my order?`)
const UUID = { volatile: ['uuid'] }
const json = (body: string): Ask => post(body)
const withBeta = (beta: string, more: Record<string, string> = {}): Ask => ({
  ...post(
    { model: 'claude-sonnet-5', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
    'https://api.anthropic.com/v1/messages',
  ),
  headers: { 'anthropic-beta': beta, 'x-api-key': 'test', ...more },
})
const poll: Ask = { method: 'GET', url: 'https://api.openai.com/v1/batches/batch_1' }
const socket = (more: object): Ask => ({
  method: 'SEND',
  url: 'wss://api.openai.com/v1/realtime?model=gpt-realtime',
  body: JSON.stringify(more),
})
const SOCKET = socket({ type: 'response.create', response: { instructions: 'Be kind.' } })
const KEY = 'sk-proj-4f9a7c2e8b1d6053a4f9c7e2b8d16053'

/** Cases of requests: which of them counts as the recorded one, and which exchange answers. */
export const MATCH_CASES: Record<string, MadeUp> = {
  'word-changed': {
    shows: 'A request with another word, parameter, path or method does not match.',
    ...ONE,
    requests: [
      [ask('Where is my  order?'), MISS],
      [ask('Where is my order'), MISS],
      [ask('Where is my order?', { temperature: 0 }), MISS],
      [ask('Where is my order?', { temperature: null }), MISS],
      [{ ...HELLO, url: 'https://api.openai.com/v1/completions' }, MISS],
      [{ ...HELLO, method: 'PUT' }, MISS],
      [HELLO, 'exchange-1'],
    ],
  },
  'keys-in-any-order': {
    shows: 'The order of keys and white space between them do not count.',
    ...ONE,
    requests: [
      [
        json(
          '{ "messages": [\n {"content": "Where is my order?", "role": "user"}], "model": "gpt-5" }',
        ),
        'exchange-1',
      ],
    ],
  },
  'schema-order': {
    shows:
      'The order of the properties of a schema counts: models write in it. Keys that are numbers come first in it.',
    ...record([
      [schema('verdict', 'reason', '2', '10'), say('{}')],
      [schema('a', 'b'), say('{}')],
    ]),
    requests: [
      [schema('reason', 'verdict', '2', '10'), MISS],
      [schema('10', 'verdict', '2', 'reason'), 'exchange-1'],
      [schema('b', 'a'), MISS],
      [schema('a', 'b'), 'exchange-2'],
    ],
  },
  numbers: {
    shows: 'A number counts by its value, in any spelling.',
    ...record([[json('{"a":1,"b":100,"c":0.1,"d":1e21,"e":1e-7,"f":0}'), say('a')]]),
    requests: [
      [json('{"a":1.0,"b":1e2,"c":0.10,"d":1000000000000000000000,"e":0.0000001,"f":-0}'), MISS],
      [json('{"a":1.0,"b":1e2,"c":0.10,"d":1E21,"e":0.0000001,"f":-0}'), 'exchange-1'],
    ],
  },
  'large-numbers': {
    shows: 'Integers above 2^53 are compared digit by digit.',
    ...record([[json('{"id":12345678901234567890}'), say('a')]]),
    requests: [
      [json('{"id":12345678901234567891}'), MISS],
      [json('{"id":12345678901234567890}'), 'exchange-1'],
    ],
  },
  unicode: {
    shows:
      'An escaped character is that character; two forms of one letter are two letters. Keys are sorted by UTF-16.',
    ...record([[ask('Grüße 😀', { metadata: { '\uFF5E': 1, '😀': 2, a: 3 } }), say('ü')]]),
    requests: [
      [ask('Gru\u0308ße 😀', { metadata: { '\uFF5E': 1, '😀': 2, a: 3 } }), MISS],
      [
        json(
          '{"model":"gpt-5","messages":[{"role":"user","content":"Gr\\u00fc\\u00dfe \\ud83d\\ude00"}],"metadata":{"a":3,"\\ud83d\\ude00":2,"\uFF5E":1}}',
        ),
        'exchange-1',
      ],
    ],
  },
  marks: {
    shows: 'A text cannot pass for one of the marks of the canonical form.',
    ...record([
      [ask('\0call:1'), say('a')],
      [ask('half \ud83d of a pair'), say('b')],
    ]),
    requests: [
      [ask('\0\0call:1'), MISS],
      [ask('\0call:1'), 'exchange-1'],
      [ask('half \ud83d of a pair'), 'exchange-2'],
    ],
  },
  'long-texts': {
    shows:
      'A text of 1,024 characters stands as its hash in the canonical form, and base64 as that of its letters.',
    ...record([
      [ask('order? '.repeat(200)), say('a')],
      [ask('QUJD'.repeat(256)), say('b')],
    ]),
    requests: [
      [ask('order? '.repeat(199) + 'order! '), MISS],
      [ask('order? '.repeat(200)), 'exchange-1'],
      [ask('QUJD'.repeat(256)), 'exchange-2'],
    ],
  },
  'no-json': {
    shows: 'A body that is no JSON, no object, or that has a key twice.',
    ...record([
      [post('Where is it?'), say('a')],
      [post('{"a":1,"a":2}'), say('b')],
      [post('[1,2]'), say('c')],
      [post('"1"'), say('d')],
    ]),
    requests: [
      [post('{"a":2}'), MISS],
      [post('Where is it?'), 'exchange-1'],
      [post('{"a":1,"a":2}'), 'exchange-2'],
      [post('[1, 2]'), 'exchange-3'],
      [post(' "1"'), 'exchange-4'],
    ],
  },
  calls: {
    shows: 'The ids of calls may change, and a result belongs to its call.',
    ...record([[called('call_a', 'call_b'), say('Ulm.')]]),
    requests: [
      [called('call_1', 'call_2', ['call_2', 'call_1']), MISS],
      [called('call_1', 'call_2'), 'exchange-1'],
    ],
  },
  'far-calls': {
    shows: 'The id of a call that only the provider knows counts.',
    ...record([[far('call_a'), say('a')]]),
    requests: [
      [far('call_b'), MISS],
      [far('call_a'), 'exchange-1'],
    ],
  },
  repeats: {
    shows: 'A prompt that is asked twice gets its answers in the order recorded, and no third one.',
    ...TWICE,
    requests: [
      [HELLO, 'exchange-1'],
      [HELLO, 'exchange-2'],
      [HELLO, { refused: 'played' }],
    ],
  },
  'repeats-last': {
    shows: 'By option, the last answer repeats.',
    ...TWICE,
    options: { repeats: 'last' },
    requests: [
      [HELLO, 'exchange-1'],
      [HELLO, 'exchange-2'],
      [HELLO, 'exchange-2'],
    ],
  },
  'repeats-cycle': {
    shows: 'By option, all answers repeat in their order.',
    ...TWICE,
    options: { repeats: 'cycle' },
    requests: [
      [HELLO, 'exchange-1'],
      [HELLO, 'exchange-2'],
      [HELLO, 'exchange-1'],
      [HELLO, 'exchange-2'],
    ],
  },
  'any-order': {
    shows: 'Prompts may come in any order.',
    ...TWO,
    requests: [
      [ask('When does it come?'), 'exchange-2'],
      [HELLO, 'exchange-1'],
    ],
  },
  'in-order': {
    shows: 'By option, the order counts.',
    ...TWO,
    options: { unordered: false },
    requests: [
      [ask('When does it come?'), { refused: 'turn' }],
      [HELLO, 'exchange-1'],
      [ask('When does it come?'), 'exchange-2'],
    ],
  },
  unused: {
    shows: 'An exchange without a request is reported as unused.',
    ...TWO,
    unused: ['exchange-2'],
    requests: [[HELLO, 'exchange-1']],
  },
  polls: {
    shows:
      'A GET without a body asks for a state: the last answer repeats, and later ones need not be asked for.',
    ...record([
      [poll, { sent: '{"status":"running"}' }],
      [poll, { sent: '{"status":"done"}' }],
    ]),
    requests: [[poll, 'exchange-1']],
  },
  'polls-more': {
    shows: 'A GET without a body may be repeated beyond its recorded count.',
    ...record([
      [poll, { sent: '{"status":"running"}' }],
      [poll, { sent: '{"status":"done"}' }],
    ]),
    requests: [
      [poll, 'exchange-1'],
      [poll, 'exchange-2'],
      [poll, 'exchange-2'],
    ],
  },
  hosts: {
    shows:
      'A provider counts by its name, this machine without its port, and any other host as it is.',
    ...record([
      [HELLO, say('a')],
      [ask('b', {}, 'http://127.0.0.1:4000/v1/chat/completions'), say('b')],
      [ask('c', {}, 'https://llm.example.com/v1/chat/completions'), say('c')],
    ]),
    requests: [
      [{ ...HELLO, url: 'https://eu.api.openai.com/v1/chat/completions' }, 'exchange-1'],
      [ask('b', {}, 'http://localhost:8080/v1/chat/completions'), 'exchange-2'],
      [ask('c', {}, 'https://llm2.example.com/v1/chat/completions'), MISS],
      [ask('c', {}, 'https://LLM.example.com:8443/v1/chat/completions'), 'exchange-3'],
    ],
  },
  query: {
    shows:
      'Known parameters count, credentials do not, and of all others the value counts as it is or by its digest.',
    ...record([
      [
        ask(
          'a',
          {},
          'https://llm.example.com/v1/chat/completions?api-version=2&key=AIzaSyA-very-secret-1&tenant=4f9a7c2e8b1d60',
        ),
        say('a'),
      ],
    ]),
    requests: [
      [
        ask('a', {}, 'https://llm.example.com/v1/chat/completions?api-version=2&tenant=other'),
        MISS,
      ],
      [
        ask(
          'a',
          {},
          'https://llm.example.com/v1/chat/completions?api-version=3&tenant=4f9a7c2e8b1d60',
        ),
        MISS,
      ],
      [
        ask(
          'a',
          {},
          'https://llm.example.com/v1/chat/completions?tenant=4f9a7c2e8b1d60&key=another&api-version=2#top',
        ),
        'exchange-1',
      ],
    ],
  },
  headers: {
    shows:
      'Headers that change what a model does count, as sets where they are lists; all others do not.',
    ...record([[withBeta('b, a'), say('a')]]),
    requests: [
      [withBeta('a'), MISS],
      [withBeta('a,b, a', { 'user-agent': 'me', 'x-request-id': '7' }), 'exchange-1'],
    ],
  },
  'headers-unknown': {
    shows: 'An imported request whose headers are unknown matches any headers.',
    ...record([[withBeta('b, a'), say('a')]], {
      mark: { headers: undefined, imported: { from: 'nock', unknown: ['headers'] } },
    }),
    requests: [[withBeta('c'), 'exchange-1']],
  },
  redacted: {
    shows: 'A credential in a prompt is compared as its placeholder, whatever its value is here.',
    ...record([[ask(`My key is ${KEY}.`), say(`Never send ${KEY}!`)]], {
      env: { OPENAI_API_KEY: KEY },
    }),
    options: { env: { OPENAI_API_KEY: KEY.replaceAll('4', '5') } },
    requests: [
      [ask('My key is none.'), MISS],
      [ask(`My key is ${KEY.replaceAll('4', '5')}.`), 'exchange-1'],
    ],
  },
  'redacted-plain': {
    shows: 'A value that is no secret here stands for the placeholder of its name.',
    ...record([[ask(`My key is ${KEY}.`), say('Never.')]], { env: { OPENAI_API_KEY: KEY } }),
    options: { env: { OPENAI_API_KEY: 'test' } },
    requests: [[ask('My key is test.'), 'exchange-1']],
  },
  'redacted-sent': {
    shows:
      'The credential that a request was sent with is replaced in its prompt by the name of its header.',
    ...record([
      [{ ...ask(`Is ${KEY} mine?`), headers: { authorization: `Bearer ${KEY}` } }, say('Yes.')],
    ]),
    requests: [
      [{ ...ask(`Is ${KEY} mine?`), headers: { authorization: `Bearer ${KEY}` } }, 'exchange-1'],
    ],
  },
  params: {
    shows: 'A parameter has another value in each run, and the answer has that of this run.',
    ...record(
      [[ask('Where is order A-4711?', { metadata: { n: 47110 } }), say('A-4711 was shipped.')]],
      { params: { order: 'A-4711', n: 47110 } },
    ),
    options: { params: { order: 'B-12', n: 98765 } },
    requests: [
      [ask('Where is order A-4711?', { metadata: { n: 98765 } }), MISS],
      [ask('Where is order B-12?', { metadata: { n: 98765 } }), 'exchange-1'],
    ],
  },
  'params-missing': {
    shows: 'A cassette with a parameter that nobody declares answers nothing.',
    ...record([[ask('Where is order A-4711?'), say('a')]], { params: { order: 'A-4711' } }),
    requests: [[ask('Where is order A-4711?'), { refused: 'params' }]],
  },
  volatile: {
    shows: 'A volatile value differs in each run, and the answer gets that of this run.',
    ...record([[session(A), say(`Session ${A} is open.`)]]),
    options: UUID,
    requests: [
      [ask(`Session ${A}: where is your order?`), MISS],
      [session(B), 'exchange-1'],
    ],
  },
  'volatile-identity': {
    shows: 'One value stays one value, within a request and in all requests of a test.',
    ...record([
      [session(A), say('a')],
      [ask(`Close ${A}.`), say('b')],
      [ask(`${A} and ${A}`), say('c')],
    ]),
    options: UUID,
    requests: [
      [session(B), 'exchange-1'],
      [ask(`Close ${A}.`), { refused: 'volatile' }],
      [ask(`${A} and ${B}`), MISS],
      [ask(`Close ${B}.`), 'exchange-2'],
      [ask(`${B} and ${B}`), 'exchange-3'],
    ],
  },
  'volatile-path': {
    shows: 'A rule can be a path; without the rule the value counts.',
    ...record([[ask('Hi', { metadata: { run: 'first-1' }, user: 'a' }), say('a')]]),
    options: { volatile: ['$.metadata.run'] },
    requests: [
      [ask('Hi', { metadata: { run: 'other-2' }, user: 'b' }), MISS],
      [ask('Hi', { metadata: { run: 'other-2' }, user: 'a' }), 'exchange-1'],
    ],
  },
  socket: {
    shows: 'A message over a socket counts with all messages before it.',
    ...edit(
      record([
        [
          { method: 'GET', url: SOCKET.url },
          {
            headers: { 'content-type': 'application/x-ndjson' },
            sent: '{"type":"session.created"}\n',
          },
        ],
        [
          SOCKET,
          {
            headers: { 'content-type': 'application/x-ndjson' },
            sent: '{"type":"response.done"}\n',
          },
        ],
      ]),
      (file) => {
        const { request } = file.exchanges[1].wire
        file.exchanges[1].wire.request = {
          method: request.method,
          url: request.url,
          after: 'exchange-1',
          body: request.body,
        }
        delete file.hashes
        delete file.file_hash
      },
    ),
    requests: [
      [SOCKET, MISS],
      [{ method: 'GET', url: SOCKET.url }, 'exchange-1'],
      [{ ...SOCKET, after: 1 }, 'exchange-2'],
    ],
  },
  'socket-frames': {
    shows: 'The subprotocols of a socket count, and whether a message is a text or bytes.',
    ...edit(
      record([
        [
          { method: 'GET', url: SOCKET.url, headers: { [PROTOCOLS]: 'realtime' } },
          { headers: { 'content-type': 'application/x-ndjson' }, sent: '{"type":"a"}\n' },
        ],
        [SOCKET, { headers: { 'content-type': 'application/x-ndjson' }, sent: '{"type":"b"}\n' }],
      ]),
      (file) => {
        const { request } = file.exchanges[1].wire
        const { method, url, body } = request
        file.exchanges[1].wire.request = {
          method,
          url,
          headers: OF_BYTES,
          after: 'exchange-1',
          body,
        }
        delete file.hashes
        delete file.file_hash
      },
    ),
    requests: [
      [{ method: 'GET', url: SOCKET.url }, MISS],
      [
        {
          method: 'GET',
          url: SOCKET.url,
          headers: { [PROTOCOLS]: 'realtime,openai-insecure-api-key.test' },
        },
        'exchange-1',
      ],
      [{ ...SOCKET, after: 1 }, MISS],
      [{ method: 'SEND', url: SOCKET.url, base64: btoa(SOCKET.body!), after: 1 }, 'exchange-2'],
    ],
  },
  'written-text': {
    shows: 'What a person wrote answers the request whose last message of the user it is.',
    ...written(
      { prompt: { text: 'Do I need a hat?  \n' }, response: { text: 'Yes.' } },
      {
        prompt: { text: 'Is it dry?', metadata: { temperature: 0 } },
        response: { error: 'Overloaded.', status: 529 },
      },
    ),
    requests: [
      [ask('Do I need a coat?'), MISS],
      [
        post({
          model: 'any',
          messages: [
            { role: 'system', content: 'Be kind.' },
            { role: 'user', content: 'Do I need a hat?' },
          ],
        }),
        'exchange-1',
      ],
      [ask('Is it dry?', { temperature: 1 }), MISS],
      [ask('Is it dry?', { temperature: 0 }), 'exchange-2'],
    ],
  },
  'written-hash': {
    shows: 'A hash of the text lets each of its characters count.',
    ...written({
      id: 'hat',
      prompt: {
        text: 'a hat',
        hash: 'SHA256:B7FC65E21E382CF1EE19C04C368F700A56C393D0717597FE66BD3E207684389C',
      },
      response: { text: 'Yes.' },
    }),
    requests: [
      [ask('Do I need a hat? '), MISS],
      [ask('a hat'), MISS],
      [ask('Do I need a hat?'), 'hat'],
    ],
  },
  'written-answer': {
    shows: 'An exchange without its recorded response still matches by its recorded request.',
    ...edit(ONE, (file) => {
      delete file.exchanges[0].wire.response
      file.exchanges[0].response = { text: 'It is lost.' }
    }),
    requests: [
      [ask('Where is my order'), MISS],
      [HELLO, 'exchange-1'],
    ],
    edited: ['exchanges'],
  },
  imported: {
    shows:
      'What the file of another tool does not tell does not count: the host here, and what was redacted.',
    ...record(
      [
        [
          { ...ask('Order SCRUBBED, please.'), url: 'https://unknown.invalid/v1/chat/completions' },
          say('a'),
        ],
      ],
      imported({ unknown: ['host'], redacted: ['SCRUBBED'] }),
    ),
    requests: [
      [ask('Order 7.'), MISS],
      [ask('Order 7, please.', {}, 'https://llm.example.com/v1/chat/completions'), 'exchange-1'],
    ],
  },
  'imported-respelled': {
    shows: 'Where another tool has lost the order of keys, that of a schema does not count.',
    ...record([[schema('b', 'a'), say('{}')]], imported({ respelled: true })),
    requests: [[schema('a', 'b'), 'exchange-1']],
  },
  unasked: {
    shows: 'An exchange whose prompt nobody knows answers nothing.',
    ...record([[post('{}'), say('a')]], imported({ unknown: ['body'] })),
    requests: [[post('{}'), MISS]],
    unused: ['exchange-1'],
  },
}
