import type { Ask } from './case.ts'
import {
  ask,
  delta,
  edit,
  HELLO,
  imported,
  MISS,
  ONE,
  post,
  record,
  say,
  SSE,
  stream,
  type MadeUp,
} from './make-case.ts'

const A = '0b8f6c1e-7a35-4c7e-9d5f-2f1f6f0b1a11'
const B = '11112222-3333-4444-8555-666677778888'
const UUID = { volatile: ['uuid'] }
const KEY = 'sk-proj-4f9a7c2e8b1d6053a4f9c7e2b8d16053'
const OTHER = KEY.replaceAll('4', '5')
const sentWith = (key: string): Ask => ({
  method: 'POST',
  url: `https://llm.example.com/v1/files/${key}?model=${key}`,
  headers: { 'x-api-key': key, 'openai-beta': key, 'cf-aig-cache-key': `user-${key}` },
  body: JSON.stringify({ [key]: `My key is ${key}.` }),
})
const mcp = (token: string, more: object = {}): Ask =>
  ask('Search.', {
    tools: [
      {
        type: 'mcp',
        server_label: 'docs',
        authorization: token,
        headers: { 'X-Api-Key': token, 'x-mode': 'read only', 'x-tenant': 'a4f9c7e2b8d1', ...more },
      },
    ],
  })
const token = (body: string): Ask => ({
  method: 'POST',
  url: 'https://llm.example.com/v1/oauth/token',
  body,
})
const streamed = (...texts: string[]): string => stream('\n', ...texts.map(delta), '[DONE]')
const ORDER = { params: { order: 'A-4711', n: 47110 } }
const HERE = { params: { order: 'B-12', n: 98765 } }

const SOCKET = 'wss://api.openai.com/v1/realtime'
const opened = (beta: string): Ask => ({
  method: 'GET',
  url: SOCKET,
  headers: { 'openai-beta': beta },
})
const message: Ask = { method: 'SEND', url: SOCKET, body: '{"type":"response.create"}' }

/** Cases of values that differ in each run: credentials, parameters, volatile values, and what another tool lost. */
export const VALUE_CASES: Record<string, MadeUp> = {
  'volatile-several': {
    shows:
      'All rules number together; U+0000 is doubled between their pieces; fields that name a model or a version are not searched, but lists in them are.',
    ...record([
      [ask(`\0${A} in /tmp/first, then ${A}`, { version: [A], engine: A, user: A }), say('a')],
    ]),
    options: { volatile: ['tmp-path', 'uuid'] },
    requests: [
      [ask(`\0${B} in /tmp/other, then ${B}`, { version: [B], engine: B, user: B }), MISS],
      [ask(`\0${B} in /tmp/other, then ${B}`, { version: [B], engine: A, user: B }), 'exchange-1'],
    ],
  },
  'volatile-whole-test': {
    shows: 'An answer gets the values of all requests of the test, as whole words.',
    ...record([
      [ask(`Open ${A}.`), say('a')],
      [ask('Which is open?'), say(`${A}, not ${A}0.`)],
    ]),
    options: UUID,
    requests: [
      [ask(`Open ${B}.`), 'exchange-1'],
      [ask('Which is open?'), 'exchange-2'],
    ],
  },
  'volatile-streamed': {
    shows:
      'A value that streams in pieces is read as a whole: the first piece takes the new value.',
    ...record([
      [
        ask(`Open ${A}.`, { stream: true }),
        { ...SSE, sent: streamed('It is ', A.slice(0, 9), A.slice(9, 20), `${A.slice(20)}!`) },
      ],
    ]),
    options: UUID,
    requests: [[ask(`Open ${B}.`, { stream: true }), 'exchange-1']],
  },
  'volatile-dates': {
    shows: 'Two recorded dates may be one date in a replay, which takes less time.',
    ...record([
      [ask('Today is 2026-01-31.'), say('a')],
      [ask('Today is 2026-02-01.'), say('b')],
    ]),
    options: { volatile: ['date-phrase'] },
    requests: [
      [ask('Today is 2026-11-26.'), 'exchange-1'],
      [ask('Today is 2026-11-26.'), 'exchange-2'],
    ],
  },
  'volatile-times': {
    shows:
      'Times have no number, contradict nothing, and are replaced in answers all the same. A number can be one.',
    ...record([
      [
        ask('It is 2026-01-31T12:00:00Z.', { metadata: { at: 1767268800, seed: 1767268800.5 } }),
        say('It was 2026-01-31T12:00:00Z, or 1767268800.'),
      ],
    ]),
    options: { volatile: ['iso-datetime', 'epoch'] },
    requests: [
      [
        ask('It is 2026-11-26T09:30:00Z.', { metadata: { at: 1764149400, seed: 1764149401.5 } }),
        'exchange-1',
      ],
    ],
  },
  'volatile-last': {
    shows: 'An answer that repeats does so for the same values alone.',
    ...record([[ask(`Open ${A}.`), say('a')]]),
    options: { ...UUID, repeats: 'last' },
    requests: [
      [ask(`Open ${B}.`), 'exchange-1'],
      [ask(`Open ${A}.`), { refused: 'volatile' }],
      [ask(`Open ${B}.`), 'exchange-1'],
    ],
  },
  'volatile-back': {
    shows: 'A value of this run that an answer gave comes back at a place that no rule covers.',
    ...record([
      [ask('Hi', { metadata: { run: 'run-1111' } }), say('This is run-1111.')],
      [ask('Close run-1111.', { metadata: { run: 'run-1111' } }), say('Closed run-1111.')],
    ]),
    options: { volatile: ['$.metadata.run'] },
    requests: [
      [ask('Hi', { metadata: { run: 'run-2222' } }), 'exchange-1'],
      [ask('Close run-3333.', { metadata: { run: 'run-2222' } }), MISS],
      [ask('Close run-2222.', { metadata: { run: 'run-2222' } }), 'exchange-2'],
    ],
  },
  'volatile-not-given': {
    shows: 'A value of this run that no answer gave does not come back elsewhere.',
    ...record([
      [ask('Hi', { metadata: { run: 'run-1111', as: 'user-1111' } }), say('Hello, user-1111.')],
      [ask('Close run-1111.', { metadata: { run: 'run-1111', as: 'user-1111' } }), say('Closed.')],
    ]),
    options: { volatile: ['$.metadata.run', '$.metadata.as'] },
    requests: [
      [ask('Hi', { metadata: { run: 'run-2222', as: 'user-2222' } }), 'exchange-1'],
      [ask('Close run-2222.', { metadata: { run: 'run-2222', as: 'user-2222' } }), MISS],
    ],
    unused: ['exchange-2'],
  },
  'volatile-path-marks': {
    shows:
      'At one place, a path goes before base64 and other rules; it stands for another value of one JSON type alone.',
    ...record([
      [ask('a', { metadata: { note: 'QUJD'.repeat(300), list: [1, { a: 2 }, A] } }), say('a')],
    ]),
    options: { volatile: ['uuid', '$.metadata.note', '$.metadata.list[*]'] },
    requests: [
      [ask('a', { metadata: { note: A, list: [3, { b: 1 }] } }), MISS],
      [ask('a', { metadata: { note: 'other', list: ['3', { b: 1 }, 'x'] } }), MISS],
      [ask('a', { metadata: { note: 7, list: [3, { b: 1 }, 'x'] } }), MISS],
      [ask('a', { metadata: { note: 'other', list: [3, { b: 1.0 }, 'x'] } }), 'exchange-1'],
    ],
  },
  'volatile-rules': {
    shows: 'Rules look at the text before a value: names, versions and longer words are none.',
    ...record([[ask('a'), say('a')]]),
    options: {
      volatile: ['prefixed-id', 'nanoid', 'iso-datetime', 'date-phrase', 'localhost-port'],
    },
    requests: [
      [
        ask(
          'toolu_4f9a7c2e8b1d60 and xtoolulongerthan_4f9a7c2e8b1d60; V1StGXR8_Z5jdHi6B-myT, msg-V1StGXR8_Z5jdHi6B-myT; ' +
            'gpt-4o-2024-08-06, version: "2024-08-06", api-version=2024-08-06, on 2024-08-06 and 2024-08-06T10:11:12Z; ' +
            'http://localhost:8080, http://127.0.0.1:99, xlocalhost:8080',
        ),
        MISS,
      ],
      [ask('a'), 'exchange-1'],
    ],
  },
  'params-words': {
    shows:
      'A parameter is found as a whole word, also beside _, in a key, and in JSON that is a text; what looks like its placeholder is escaped.',
    ...record(
      [
        [
          ask('_A-4711_, not A-47112, as {{order}} or {{=n:number}} or {{other}}.', {
            metadata: { 'A-4711': 'A-4711', json: '{"n": 47110, "\\u00fc": "\\u00fc A-4711"}' },
          }),
          { sent: '{"a":"A-4711 {{order}} {{=n}}","n":47110,"json":"[47110]"}' },
        ],
      ],
      ORDER,
    ),
    options: HERE,
    requests: [
      [
        ask('_B-12_, not A-47112, as {{order}} or {{=n:number}} or {{other}}.', {
          metadata: { 'B-12': 'B-12', json: '{"n": 98765, "\\u00fc": "\\u00fc B-12"}' },
        }),
        'exchange-1',
      ],
    ],
  },
  'params-new': {
    shows: 'A placeholder is plain text if its parameter is declared but not in the cassette.',
    ...record([[ask('Use {{order}} and {{other}}.'), say('As {{order}}, {{=order}}.')]]),
    options: HERE,
    requests: [
      [ask('Use B-12 and {{other}}.'), MISS],
      [ask('Use {{order}} and {{other}}.'), 'exchange-1'],
    ],
  },
  'params-streamed': {
    shows: 'A placeholder that streams in pieces is read as a whole.',
    ...record(
      [
        [
          ask('Where is A-4711?', { stream: true }),
          { ...SSE, sent: streamed('It is {{', 'order', '}}.') },
        ],
      ],
      { params: { order: 'A-4711' } },
    ),
    options: { params: { order: 'B-12' } },
    requests: [[ask('Where is B-12?', { stream: true }), 'exchange-1']],
  },
  'redacted-everywhere': {
    shows: 'A credential is replaced in the path, in parameters, headers, texts and keys.',
    ...record([[sentWith(KEY), say('a')]]),
    requests: [
      [{ ...sentWith(OTHER), body: JSON.stringify({ [KEY]: `My key is ${OTHER}.` }) }, MISS],
      [sentWith(OTHER), 'exchange-1'],
    ],
  },
  'redacted-short': {
    shows:
      'A value that is too short or too common to be a credential is none, whatever its name is.',
    ...record([[ask('Is the sale at 80802026112617, in /tmp/keys-of-test-1?'), say('a')]]),
    options: {
      env: { API_TOKEN: 'sale', SECRET_KEY: '80802026112617', PRIVATE_KEY: '/tmp/keys-of-test-1' },
    },
    requests: [
      [ask('Is the sale at 8081, in /tmp/keys-of-test-1?'), MISS],
      [
        {
          ...ask('Is the sale at 80802026112617, in /tmp/keys-of-test-1?'),
          headers: { 'x-api-key': 'sale' },
        },
        'exchange-1',
      ],
    ],
  },
  'redacted-fields': {
    shows:
      'In tools of other servers and in token requests, fields that hold credentials do not count.',
    ...record([
      [mcp('first'), say('a')],
      [token('grant_type=refresh_token&refresh_token=first&scope=a+b'), { sent: '{}' }],
      [token('{"grant_type":"refresh_token","refresh_token":"first"}'), { sent: '{}' }],
      [ask('a', { grant_type: 'none', code: 'first' }), say('b')],
    ]),
    requests: [
      [mcp('other', { 'x-tenant': 'b4f9c7e2b8d1' }), MISS],
      [mcp('other', { 'x-mode': 'write' }), MISS],
      [mcp('other'), 'exchange-1'],
      [token('grant_type=refresh_token&refresh_token=other&scope=a+b'), 'exchange-2'],
      [token('{"grant_type":"refresh_token","refresh_token":"other"}'), 'exchange-3'],
      [ask('a', { grant_type: 'none', code: 'other' }), MISS],
      [ask('a', { grant_type: 'none', code: 'first' }), 'exchange-4'],
    ],
  },
  'imported-host': {
    shows:
      '`redacted` in the host of another tool matches any text, and so does each redacted text in a query.',
    ...record(
      [
        [
          ask('a', {}, 'https://redacted.example.com/v1/SCRUBBED/chat?limit=SCRUBBED&model=a'),
          say('a'),
        ],
      ],
      imported({ redacted: ['SCRUBBED'] }),
    ),
    requests: [
      [ask('a', {}, 'https://eu.example.com/v1/7/chat?limit=8&model=b'), MISS],
      [ask('a', {}, 'https://eu.example.org/v1/7/chat?limit=8&model=a'), MISS],
      [ask('a', {}, 'https://eu.example.com/v1/7/chat?limit=8&model=a'), 'exchange-1'],
    ],
  },
  'headers-unknown-model': {
    shows:
      'Headers that name a model count even if the headers of an imported request are unknown.',
    ...record(
      [
        [
          {
            ...post({}, 'https://ai-gateway.vercel.sh/v3/ai/language-model'),
            headers: { 'ai-language-model-id': 'a' },
          },
          say('a'),
        ],
      ],
      imported({ unknown: ['headers'] }),
    ),
    requests: [
      [
        {
          ...post({}, 'https://ai-gateway.vercel.sh/v3/ai/language-model'),
          headers: { 'ai-language-model-id': 'b' },
        },
        MISS,
      ],
      [
        {
          ...post({}, 'https://ai-gateway.vercel.sh/v3/ai/language-model'),
          headers: { 'ai-language-model-id': 'a', 'openai-beta': 'c' },
        },
        'exchange-1',
      ],
    ],
  },
  'socket-headers-unknown': {
    shows:
      'Where the headers of a message are unknown, those of the requests before it do not count either.',
    ...edit(
      record([
        [opened('a'), { headers: { 'content-type': 'application/x-ndjson' }, sent: '{}\n' }],
        [
          message,
          { headers: { 'content-type': 'application/x-ndjson' }, sent: '{"type":"done"}\n' },
        ],
      ]),
      (file) => {
        const [first, second] = file.exchanges
        delete first.wire.request.headers
        const imported = { from: 'har', unknown: ['headers'] }
        first.wire.request.imported = imported
        Object.assign(second.wire.request, { imported, after: 'exchange-1' })
        delete file.hashes
        delete file.file_hash
      },
    ),
    requests: [
      [opened('b'), 'exchange-1'],
      [{ ...message, after: 0 }, 'exchange-2'],
    ],
  },
  'edited-hash-own': {
    shows: 'An exchange may hold its hashes itself; they go before those of the file.',
    ...edit(ONE, (file) => {
      file.exchanges[0].wire.response.hash = `sha256-${'0'.repeat(32)}`
    }),
    requests: [[HELLO, 'exchange-1']],
    edited: ['exchanges', 'exchange-1'],
  },
}
