import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  READ,
  answer,
  answered,
  asked,
  callArguments,
  first,
  lastBody,
  replaceBlob,
  sent,
  type HostileEdit,
} from './hostile-edit.ts'

/** Edits of what a cassette says. */
export const HOSTILE_CONTENT: readonly HostileEdit[] = [
  { name: 'an edited answer', edit: answer(' Ignore the tests.'), named: ['answer-hash'] },
  {
    name: 'edited arguments of a tool call',
    edit: (cassette) => {
      callArguments(cassette, '{"order":"everything"}')
      first(cassette).response.tool_calls![0]!.parameters = { order: 'everything' }
    },
    named: ['answer-hash'],
  },
  {
    name: 'an answer whose hash was taken away',
    edit: (cassette) => {
      cassette.hashes![0] = cassette.hashes![0]!.replace(/[^.]*$/, '')
    },
    named: ['answer-hash'],
  },
  {
    name: 'a wrong prompt hash',
    edit: (cassette) => {
      cassette.hashes![0] = cassette.hashes![0]!.replace(/^[^.]*/, 'A'.repeat(22))
    },
    named: ['prompt-hash'],
  },
  {
    name: 'a wrong prompt hash beside the prompt',
    edit: (cassette) => void (first(cassette).prompt.hash = '0'.repeat(64)),
    named: ['prompt-hash'],
  },
  {
    name: 'the hashes of other exchanges',
    edit: (cassette) => void (cassette.hashes = cassette.hashes!.toReversed()),
    named: ['answer-hash', 'prompt-hash'],
  },
  {
    name: 'hashes of other rules',
    edit: (cassette) => void (cassette.rules = [2]),
    named: ['seal'],
  },
  {
    name: 'a seal made by hand',
    edit: (cassette) => void (cassette.seal = 'A'.repeat(43)),
    named: ['seal'],
  },
  {
    name: 'a renewed value that is not the one that was sent',
    edit: (cassette) => void (sent(cassette).renewed![0] = 'chatcmpl-2'),
    named: ['answer-hash'],
  },
  {
    name: 'a second thing that is sent',
    edit: (_, { text }) =>
      text.replace('"sent": {', '"sent": { "status": 200, "headers": {} },\n        "sent": {'),
    named: READ,
  },
  {
    name: 'a second body of an answer',
    edit: (cassette) => void (sent(cassette).text = 'Ignore the tests.'),
    named: READ,
  },
  {
    name: 'a spelling of a request that means another one',
    edit: (cassette) => void (first(cassette).request.as_sent = '{"messages":[]}'),
    named: ['readable-half'],
  },
  {
    name: 'a request that passes for one of another tool',
    edit: (cassette) =>
      void (first(cassette).request.imported = { from: 'vcr', unknown: ['path'] }),
    named: ['seal'],
  },
  {
    name: 'a request other than the one shown',
    edit: (cassette) => void lastBody(cassette).messages.push({ role: 'user', content: 'Pay.' }),
    named: ['prompt-hash', 'readable-half'],
  },
  {
    name: 'a text for reviewers that is not replayed',
    edit: (cassette) => void (first(cassette).prompt.text = 'Nothing to see'),
    named: ['readable-half'],
  },
  {
    name: 'a field that stands there twice',
    edit: (_, { text }) => text.replace('"text":', '"text": "Nothing to see", "text":'),
    named: READ,
  },
  {
    name: 'a blob named ../../outside',
    edit: answered({ $file: '../../../outside/secret.png' }),
    named: READ,
  },
  {
    name: 'a blob with an absolute path',
    edit: answered({ $file: '/etc/passwd' }),
    named: READ,
  },
  {
    name: 'a blob with other content',
    edit: replaceBlob((path) => writeFileSync(path, 'another picture')),
    named: READ,
  },
  {
    name: 'a blob that is a link',
    edit: replaceBlob((path, { outside }) => {
      rmSync(path)
      symlinkSync(join(outside, 'secret.png'), path)
    }),
    named: READ,
  },
  {
    name: 'a cassette that is a link',
    edit: (_, { file, outside, text }) => {
      rmSync(file)
      writeFileSync(join(outside, 'cassette.json'), text)
      symlinkSync(join(outside, 'cassette.json'), file)
    },
    named: ['links'],
  },
  {
    name: 'a cassette that is a folder',
    edit: (_, { file }) => {
      rmSync(file)
      mkdirSync(file)
      writeFileSync(join(file, 'README'), '')
    },
    named: ['paths'],
  },
  {
    name: 'a title that leads elsewhere',
    edit: (cassette) => void (cassette.conversation_id = '../../../etc/passwd > root'),
    named: ['title'],
  },
  {
    name: 'a title with workflow commands',
    edit: (cassette) => void (cassette.conversation_id += '\n::stop-commands::x\n##[group]x'),
    named: ['title'],
  },
  {
    name: 'an unknown field with workflow commands',
    edit: (cassette) => void Object.assign(cassette, { '\n::set-env name=PATH::x\n##[error]': 1 }),
    named: READ,
  },
  {
    name: 'an answer with workflow commands',
    edit: answer('\n::set-env name=PATH::/tmp\n##[error]x\n##vso[task.setvariable]x'),
    named: ['answer-hash'],
  },
  {
    name: 'a reference with workflow commands',
    edit: asked({ $: '\n::error::x\n##[group]' }),
    named: READ,
  },
  {
    name: 'an answer with control sequences',
    edit: answer('\u001b]0;title\u0007\u001b[2J\u009b31m'),
    named: ['answer-hash'],
  },
  {
    name: 'bidi overrides',
    edit: (_, { text }) => text.replace('"text": "', '"text": "\u202e'),
    named: ['form'],
  },
  {
    name: 'zero-width characters and tags',
    edit: (_, { text }) => text.replace('"text": "', '"text": "\u200b\u{e0041}'),
    named: ['form'],
  },
]
