import {
  ask,
  edit,
  HELLO,
  MISS,
  ONE,
  post,
  record,
  say,
  SSE,
  STREAMED,
  TWO,
  written,
  type MadeUp,
} from './make-case.ts'

const recorded = (change: (exchange: any) => void): ReturnType<typeof edit> =>
  edit(ONE, ({ exchanges }) => change(exchanges[0]))
const streamed = (change: (body: any) => void): ReturnType<typeof edit> =>
  edit(record([[HELLO, { ...SSE, sent: STREAMED }]]), ({ exchanges }) =>
    change(exchanges[0].wire.response.body),
  )
const refused = (shows: string, file: { cassette: unknown }, unreadable: string): MadeUp => ({
  shows,
  ...file,
  requests: [],
  unreadable,
})
const asked = (messages: unknown[]) => post({ model: 'gpt-5', messages })
const LONG = 'one word more '.repeat(80)

/** A file of exchanges, each of which has the list of the one before twice, and the last one `many` times. */
const doubled = (first: unknown[], times: number, many: number): { cassette: unknown } =>
  edit(record([[asked(['a']), say('a')]]), (file) => {
    const [one] = file.exchanges
    delete file.hashes
    delete file.file_hash
    file.exchanges = Array.from({ length: times }, (_, place) => {
      const exchange = structuredClone(one)
      exchange.id = `exchange-${place + 1}`
      const count = first.length * 2 ** (place - 1)
      const half = { $same: `exchange-${place}`, at: '/wire/request/body', count }
      const body = Array(place === times - 1 ? many : 2).fill(half)
      exchange.wire.request.body = place === 0 ? first : body
      return exchange
    })
  })

const BOTH = written(
  { prompt: { text: 'Where is my order?' }, response: { text: 'It is lost.' } },
  { prompt: { text: 'When does it come?' }, response: { text: 'Never.' } },
)

/** Cases of how a file is read: its references, its values, and what is refused; and of written exchanges. */
export const READ_CASES: Record<string, MadeUp> = {
  'reference-places': {
    shows:
      'Without a place, a reference in a list means the place that it has after the references with a count before it; `$json` is a key of a place, and a text that is data counts.',
    ...edit(
      record([
        [
          asked([{ a: 1 }, { b: 2 }, { c: 3 }, { $text: ['d'] }]),
          { ...SSE, sent: 'event: ping\ndata: one\n\ndata: {"e":5}\n\n' },
        ],
        [asked([{ a: 1 }, { b: 2 }, { c: 3 }, { $text: ['d'] }, { e: 5 }, 'd']), say('a')],
      ]),
      (file) => {
        const [first, second] = file.exchanges
        first.wire.response.body = {
          $events: [{ event: 'ping', data: 'one' }, { data: { e: 5 } }],
        }
        second.wire.request.body.messages = [
          { $same: 'exchange-1', count: 2 },
          { $same: 'exchange-1' },
          { $json: { $text: { $same: 'exchange-1' } } },
          { $same: 'exchange-1', at: '/wire/response/body/1' },
          { $same: 'exchange-1', at: '/wire/request/body/messages/3/$json/$text/0' },
        ]
        delete file.hashes
        delete file.file_hash
      },
    ),
    requests: [
      [asked([{ a: 1 }, { b: 2 }, { c: 3 }, { $text: ['d'] }]), 'exchange-1'],
      [asked([{ a: 1 }, { b: 2 }, { c: 3 }, { $text: ['d'] }, { e: 5 }, 'd']), 'exchange-2'],
    ],
  },
  'reference-own': refused(
    'A reference does not lead into the JSON in which it stands.',
    recorded(({ wire }) => {
      wire.request.body.messages[0].content = {
        $same: 'exchange-1',
        at: '/wire/request/body/model',
      }
    }),
    'reference',
  ),
  'reference-count': refused(
    'Only an item of a list stands for several.',
    edit(TWO, ({ exchanges }) => {
      exchanges[1].wire.request.body.messages = { $same: 'exchange-1', count: 1 }
    }),
    'reference',
  ),
  'reference-key': refused(
    'A reference has no key that is unknown.',
    edit(TWO, ({ exchanges }) => {
      exchanges[1].wire.request.body.model = { $same: 'exchange-1', of: 1 }
    }),
    'reference',
  ),
  'references-many': refused(
    'References that take more than 4,194,304 steps are refused.',
    doubled(Array(8).fill(1), 14, 130),
    'reference',
  ),
  'references-large': refused(
    'Values of more than 536,870,912 characters are refused.',
    doubled(Array(8).fill(LONG), 12, 60),
    'reference',
  ),
  levels: {
    shows: 'A file with more than 1,000 levels is refused.',
    file: JSON.stringify(BOTH.cassette).replace(
      '"text"',
      `"metadata":${'{"a":'.repeat(1_001)}0${'}'.repeat(1_001)},"text"`,
    ),
    requests: [],
    unreadable: 'json',
  },
  'ids-same': {
    shows: 'Two exchanges may share an id, as after a merge; references point to the first.',
    ...edit(TWO, ({ exchanges }) => {
      exchanges[1].id = 'exchange-1'
    }),
    requests: [
      [ask('When does it come?'), 'exchange-1'],
      [HELLO, 'exchange-1'],
    ],
    edited: ['exchanges', 'exchange-1'],
  },
  'layout-unknown': refused(
    'A layout that a body does not have is refused.',
    recorded(({ wire }) => {
      wire.response.layout = { tabs: 1 }
    }),
    'field',
  ),
  'layout-end': refused(
    'The text at the end of a layout is JSON white space.',
    recorded(({ wire }) => {
      wire.response.layout = { end: '\u00a0' }
    }),
    'field',
  ),
  'layout-inside': refused(
    'A layout of a text that is JSON is refused likewise, as a part of its body.',
    recorded(({ wire }) => {
      wire.response.body = { a: { $stringified: {}, layout: { pad: 0 } } }
    }),
    'body',
  ),
  'body-of-204': refused(
    'An answer without content has no body.',
    recorded(({ wire }) => {
      wire.response.status = 204
    }),
    'field',
  ),
  'body-key': refused(
    'A body that is no JSON has no key beside that which names it.',
    streamed((body) => {
      body.$lines = []
    }),
    'body',
  ),
  'event-key': refused(
    'An event has no key that is unknown.',
    streamed((body) => {
      body.$events[0].retry = 1
    }),
    'body',
  ),
  'text-pieces': refused(
    'In JSON, a text in pieces is a list.',
    recorded(({ wire }) => {
      wire.response.body = { a: { $text: 'b' } }
    }),
    'body',
  ),
  'events-asked': refused(
    'A request is no stream of events.',
    recorded(({ wire }) => {
      wire.request.body = { $events: [] }
    }),
    'body',
  ),
  'fields-first': refused(
    'Fields are checked before versions below 1.3, and both before references.',
    edit(TWO, (file) => {
      file.version = '1.2'
      file.exchanges[0].wire.request.body.model = { $same: 'none' }
      file.exchanges[1].wire.more = 1
    }),
    'field',
  ),
  'recorded-first': {
    shows: 'A recorded exchange answers before one that a person wrote, wherever that stands.',
    ...edit(record([[ask('Where is my order?', { n: 1 }), say('a')]]), (file) => {
      file.exchanges.unshift({ id: 'written', ...(BOTH.cassette as any).exchanges[0] })
    }),
    requests: [
      [post(ask('Where is my order?', { n: 1 }).body!.replace('1}', '1.0}')), 'exchange-1'],
      [HELLO, 'written'],
    ],
  },
  'written-in-order': {
    shows: 'If the order counts, an exchange that a person wrote has its turn too.',
    ...BOTH,
    options: { unordered: false },
    requests: [
      [ask('When does it come?'), { refused: 'turn' }],
      [HELLO, 'exchange-1'],
      [ask('When does it come?'), 'exchange-2'],
    ],
  },
  'written-parts': {
    shows:
      'The question is all texts of the last message of the user that is more than results of calls.',
    ...written({ prompt: { text: 'Do I need a hat?\nIn Ulm?' }, response: { text: 'Yes.' } }),
    requests: [
      [ask([{ type: 'text', text: 'In Ulm?' }]), MISS],
      [
        ask([
          { type: 'text', text: 'Do I need a hat?' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'text', text: 'In Ulm?' },
        ]),
        'exchange-1',
      ],
    ],
  },
  'written-operation': {
    shows: 'Embeddings are answered only if the exchange names the operation.',
    ...written({ prompt: { text: 'a hat' }, response: { text: 'Yes.' } }),
    requests: [
      [
        post(
          { model: 'text-embedding-3-small', input: 'a hat' },
          'https://api.openai.com/v1/embeddings',
        ),
        MISS,
      ],
    ],
    unused: ['exchange-1'],
  },
  'written-hash-request': {
    shows:
      'The hash of a request, with the headers that count, stands for the request; its text is for people.',
    ...written(
      {
        prompt: {
          text: 'anything',
          hash: 'sha256=720259b8236d198e7d9592d2ca7f7ed5bf2a2ffc058cb77743f2f7daf4e4e2d2',
        },
        response: { text: 'a' },
      },
      { prompt: { text: 'no hash', hash: 'none' }, response: { text: 'b' } },
    ),
    requests: [
      [{ ...HELLO, headers: { 'openai-beta': 'a' } }, MISS],
      [HELLO, 'exchange-1'],
      [ask('no hash'), 'exchange-2'],
    ],
  },
}
