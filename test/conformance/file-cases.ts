import {
  ask,
  record,
  written,
  edit,
  MISS,
  HELLO,
  ONE,
  TWO,
  SSE,
  STREAMED,
  type MadeUp,
} from './make-case.ts'

/** Cases of files that were edited, and of those that are refused. */
export const FILE_CASES: Record<string, MadeUp> = {
  'answer-edited': {
    shows: 'An edited answer is replayed as it is, and whoever verifies the file finds it.',
    ...edit(ONE, (file) => {
      file.exchanges[0].wire.response.body.choices[0].message.content = 'It is lost.'
    }),
    requests: [[HELLO, 'exchange-1']],
    edited: ['exchanges', 'exchange-1'],
  },
  'head-edited': {
    shows: 'An edit of the head of a file changes its hash, and no answer.',
    ...edit(ONE, (file) => {
      file.conversation_id = 'b.test.ts > asks'
    }),
    requests: [[HELLO, 'exchange-1']],
    edited: ['head'],
  },
  'prompt-hash-edited': {
    shows: 'A stored hash of a prompt answers nothing: the request is hashed anew.',
    ...edit(ONE, (file) => {
      file.hashes['exchange-1'].prompt = `sha256-${'0'.repeat(64)}`
    }),
    requests: [
      [ask('Where is my order'), MISS],
      [HELLO, 'exchange-1'],
    ],
    edited: ['head'],
  },
  'readable-edited': {
    shows: 'The readable half of an exchange is for people, and answers nothing.',
    ...edit(ONE, (file) => {
      file.exchanges[0].prompt.text = 'Hi'
      file.exchanges[0].response.text = 'No.'
    }),
    requests: [
      [ask('Hi'), MISS],
      [HELLO, 'exchange-1'],
    ],
    edited: ['exchanges'],
  },
  'version-minor': {
    shows: 'A newer minor version is read.',
    ...edit(ONE, (file) => {
      file.version = '1.42'
    }),
    requests: [[HELLO, 'exchange-1']],
    edited: ['head'],
  },
  'version-major': {
    shows: 'A newer major version is refused.',
    ...edit(ONE, (file) => {
      file.version = '3.0'
    }),
    requests: [],
    unreadable: 'version',
  },
  'version-unreleased': {
    shows: 'A recorded exchange is refused if no release wrote the version of its file.',
    ...edit(ONE, (file) => {
      file.version = '1.2'
    }),
    requests: [],
    unreadable: 'version',
  },
  'field-unknown': {
    shows: 'A field that the format does not have is refused, in any version 1.x.',
    ...edit(ONE, (file) => {
      file.version = '1.42'
      file.exchanges[0].wire.request.cookies = 'a'
    }),
    requests: [],
    unreadable: 'field',
  },
  'field-missing': {
    shows: 'A field that is missing is refused.',
    ...edit(ONE, (file) => {
      delete file.exchanges[0].wire.response.status
    }),
    requests: [],
    unreadable: 'field',
  },
  'header-refused': {
    shows: 'An answer has no header but those of the list.',
    ...edit(ONE, (file) => {
      file.exchanges[0].wire.response.headers['set-cookie'] = 'a=b'
    }),
    requests: [],
    unreadable: 'field',
  },
  'reference-lost': {
    shows: 'A reference that leads nowhere is refused.',
    ...edit(ONE, (file) => {
      file.exchanges[0].wire.request.body.messages[0] = { $same: 'exchange-9' }
    }),
    requests: [],
    unreadable: 'reference',
  },
  'reference-forward': {
    shows: 'A reference points to an earlier exchange or to its own.',
    ...edit(TWO, (file) => {
      file.exchanges[0].wire.request.body.messages = { $same: 'exchange-2' }
    }),
    requests: [],
    unreadable: 'reference',
  },
  'run-broken': {
    shows: 'The columns of a run of events are of one length.',
    ...edit(record([[HELLO, { ...SSE, sent: STREAMED }]]), (file) => {
      const run = file.exchanges[0].wire.response.body.$events[0].next
      run['/data/id'] = ['c2']
    }),
    requests: [],
    unreadable: 'body',
  },
  'ids-twice': {
    shows: 'An exchange that a person wrote has an id of its own.',
    ...written(
      { id: 'exchange-2', prompt: { text: 'a' }, response: { text: 'b' } },
      { prompt: { text: 'c' }, response: { text: 'd' } },
    ),
    requests: [],
    unreadable: 'ids',
  },
  conflict: {
    shows: 'A file with the marks of a merge conflict is no JSON.',
    file: '{\n<<<<<<< ours\n"version": "1.3",\n=======\n"version": "1.3",\n>>>>>>> theirs\n"exchanges": []\n}\n',
    requests: [],
    unreadable: 'json',
  },
}
