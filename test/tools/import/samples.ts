/** A small file in each format, of our own making. */
export interface Sample {
  format: string
  name: string
  content: unknown
}

export const CHAT = 'https://api.openai.com/v1/chat/completions'
export const ASKED = { model: 'gpt-x', messages: [{ role: 'user', content: 'Hello?' }] }
export const SAID = { object: 'chat.completion', choices: [{ message: { content: 'Hi.' } }] }
const JSON_HEADERS = { 'content-type': 'application/json' }

/** An entry of a HAR file: a chat with one message, and its answer. */
export function harEntry(url: string, content: string, said: string): object {
  return {
    startedDateTime: '2025-03-01T10:00:00.000Z',
    time: 12,
    request: {
      method: 'POST',
      url,
      headers: [{ name: 'content-type', value: 'application/json' }],
      postData: {
        mimeType: 'application/json',
        text: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
      },
    },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { text: JSON.stringify({ choices: [{ message: { content: said } }] }) },
    },
  }
}

export const SAMPLES: readonly Sample[] = [
  {
    format: 'har',
    name: 'recording.har',
    content: {
      log: {
        _recordingName: 'A suite/says hello',
        version: '1.2',
        creator: { name: 'Polly.JS', version: '6.0.6' },
        entries: [
          {
            _id: 'a',
            _order: 0,
            startedDateTime: '2026-01-01T10:00:00.000Z',
            time: 12,
            request: {
              method: 'POST',
              url: CHAT,
              headers: [{ name: 'content-type', value: 'application/json' }],
              bodySize: 60,
              postData: { mimeType: 'application/json', params: [], text: JSON.stringify(ASKED) },
            },
            response: {
              status: 200,
              headers: [{ name: 'content-type', value: 'application/json' }],
              content: { mimeType: 'application/json', size: 60, text: JSON.stringify(SAID) },
            },
          },
        ],
      },
    },
  },
  {
    format: 'nock',
    name: 'nock.json',
    content: [
      {
        scope: 'https://api.openai.com:443',
        method: 'POST',
        path: '/v1/chat/completions',
        body: ASKED,
        status: 200,
        response: SAID,
        rawHeaders: ['Content-Type', 'application/json'],
        reqheaders: JSON_HEADERS,
        responseIsBinary: false,
      },
    ],
  },
  {
    format: 'vcr',
    name: 'vcrpy.json',
    content: {
      version: 1,
      interactions: [
        {
          request: {
            method: 'POST',
            uri: CHAT,
            headers: { A: ['b'] },
            body: JSON.stringify(ASKED),
          },
          response: {
            status: { code: 200, message: 'OK' },
            headers: { 'Content-Type': ['application/json'] },
            body: { string: JSON.stringify(SAID) },
          },
        },
      ],
    },
  },
  {
    format: 'mastra',
    name: 'mastra.json',
    content: {
      meta: { name: 'hello', testFile: 'test/a.test.ts', createdAt: '2026-01-01T10:00:00.000Z' },
      recordings: [
        {
          hash: '0123456789abcdef',
          request: { url: CHAT, method: 'POST', body: ASKED, timestamp: 1_767_261_600_000 },
          response: { status: 200, headers: JSON_HEADERS, body: SAID, isStreaming: false },
        },
      ],
    },
  },
  {
    format: 'braintrust',
    name: 'braintrust.cassette.json',
    content: {
      meta: { createdAt: '2026-01-01T10:00:00.000Z' },
      entries: [
        {
          callIndex: 0,
          matchKey: 'POST api.openai.com/v1/chat/completions',
          recordedAt: '2026-01-01T10:00:00.000Z',
          request: { method: 'POST', url: CHAT, headers: {}, body: { kind: 'json', value: ASKED } },
          response: { status: 200, headers: JSON_HEADERS, body: { kind: 'json', value: SAID } },
        },
      ],
    },
  },
  {
    format: 'undici',
    name: 'undici.json',
    content: [
      {
        hash: 'h',
        snapshot: {
          request: {
            method: 'POST',
            url: CHAT,
            headers: JSON_HEADERS,
            body: JSON.stringify(ASKED),
          },
          responses: [
            {
              statusCode: 200,
              headers: JSON_HEADERS,
              body: Buffer.from(JSON.stringify(SAID)).toString('base64'),
            },
          ],
          callCount: 1,
          timestamp: '2026-01-01T10:00:00.000Z',
        },
      },
    ],
  },
  {
    format: 'mockserver',
    name: 'mockserver.json',
    content: {
      httpRequest: {
        method: 'POST',
        path: '/v1/chat/completions',
        body: {
          type: 'JSON',
          json: ASKED,
          rawBytes: Buffer.from(JSON.stringify(ASKED)).toString('base64'),
        },
      },
      httpResponse: {
        statusCode: 200,
        headers: { 'Content-Type': ['application/json'] },
        body: { type: 'JSON', json: SAID },
      },
      id: '1766027608059-unknown-host-POST-_v1_chat_completions-b72fba5a.json',
      times: { unlimited: true },
    },
  },
  {
    format: 'aimock',
    name: 'aimock.json',
    content: {
      fixtures: [
        { match: { userMessage: 'hello' }, response: { content: 'Hi.' } },
        {
          match: { toolCallId: 'call_1' },
          response: { toolCalls: [{ name: 'look', arguments: { at: 'it' } }] },
        },
      ],
    },
  },
  {
    format: 'copilot',
    name: 'copilot.yaml',
    content: [
      'models:',
      '  - some-model',
      'conversations:',
      '  - messages:',
      '      - role: system',
      '        content: ${system}',
      '      - role: user',
      '        content: Hello?',
      '      - role: assistant',
      '        content: Hi.',
      '',
    ].join('\n'),
  },
  { format: 'answers', name: 'openai-text.json', content: SAID },
]
