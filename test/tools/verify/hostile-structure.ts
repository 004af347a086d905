import { closeSync, ftruncateSync, openSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  GIGANTIC,
  READ,
  answer,
  answered,
  asked,
  explode,
  first,
  lastBody,
  sent,
  type HostileEdit,
} from './hostile-edit.ts'

/** Edits that are to break what reads a cassette. */
export const HOSTILE_STRUCTURE: readonly HostileEdit[] = [
  {
    name: 'a key __proto__ at the top',
    edit: (_, { text }) => text.replace('{', '{ "__proto__": { "polluted": true },'),
    named: READ,
  },
  {
    name: 'keys __proto__ and constructor in a request',
    edit: (_, { text }) =>
      text.replace(
        '"role": "system"',
        '"__proto__": { "polluted": true }, "constructor": { "prototype": { "polluted": true } }, "role": "system"',
      ),
    named: ['prompt-hash'],
  },
  {
    name: '600 MB',
    edit: (_, { file }) => {
      const handle = openSync(file, 'w')
      ftruncateSync(handle, 600 * 1024 * 1024)
      closeSync(handle)
    },
    named: READ,
  },
  {
    name: '1,000,000 levels',
    isHeavy: true,
    edit: (_, { text }) =>
      text.replace('"messages": [', `"messages": [${'['.repeat(GIGANTIC)}${']'.repeat(GIGANTIC)},`),
    named: READ,
  },
  {
    name: '1,000,000 references',
    isHeavy: true,
    edit: (_, { text }) =>
      text.replace(
        '"$items": [0,2]',
        `"$items": [0,2]},${'{"$items":[1,2]},'.repeat(GIGANTIC)}{"$items":[1,2]`,
      ),
    named: READ,
  },
  {
    name: '1,000,000 pieces of a stream that are no texts',
    isHeavy: true,
    edit: (cassette) => {
      const response = sent(cassette)
      delete response.body
      response.events = [{ a: { $each: Array.from({ length: GIGANTIC }, () => ({})) } }]
    },
    named: READ,
  },
  {
    name: 'references that double 60 times, in lists',
    edit: (cassette) =>
      explode(cassette, ($like, count) => ({
        $like,
        messages: [{ $items: [0, count] }, { $items: [0, count] }],
      })),
    named: READ,
  },
  {
    name: 'references that double 60 times, in objects',
    edit: (cassette) =>
      explode(cassette, (id) => ({
        messages: [{ a: { $: `${id}/messages` }, b: { $: `${id}/messages` } }],
      })),
    named: READ,
  },
  {
    name: 'references that double 60 times, in texts',
    edit: (cassette) =>
      explode(cassette, (id) => {
        const text = { $: id === 'exchange-1' ? `${id}.prompt` : `${id}/text` }
        return { text: { $join: [text, text] } }
      }),
    named: READ,
  },
  {
    name: 'a reference to where it stands',
    edit: asked({ $: 'exchange-2/messages' }),
    named: READ,
  },
  {
    name: 'a reference to a later exchange',
    edit: (cassette) => {
      const { body } = first(cassette).request
      first(cassette).request.body = { ...(body as object), user: { $: 'exchange-2.text' } }
    },
    named: READ,
  },
  {
    name: 'a body like that of a later exchange',
    edit: (cassette) => {
      const { request } = first(cassette)
      const { body } = lastBody(cassette)
      lastBody(cassette).request.body = request.body!
      request.body = { ...body, $like: 'exchange-2' }
    },
    named: READ,
  },
  {
    name: 'an order after a later exchange',
    edit: (cassette) => void (first(cassette).request.after = 'exchange-2'),
    named: READ,
  },
  {
    name: 'a reference beyond the end',
    edit: asked({ $items: [1, 1e9] }),
    named: READ,
  },
  {
    name: 'a reference to items that stand elsewhere',
    edit: asked({ a: { $items: [0, 1] } }),
    named: READ,
  },
  {
    name: 'a reference to a value that was never renewed',
    edit: answered({ $: 99 }),
    named: READ,
  },
  {
    name: 'a reference to __proto__',
    edit: asked({ $: 'exchange-1/__proto__/constructor' }),
    named: READ,
  },
  {
    name: 'a request that refers to its own answer',
    edit: asked({ $: 'text' }),
    named: READ,
  },
  {
    name: 'a marker beside other keys',
    edit: asked({ role: 'user', $: 'prompt' }),
    named: READ,
  },
  {
    name: 'a marker where there may be none',
    edit: answered({ $like: 'exchange-1' }),
    named: READ,
  },
  {
    name: 'a key left out that is not there',
    edit: (cassette) => void (lastBody(cassette).body.$without = ['nothing']),
    named: READ,
  },
  {
    name: 'pieces of a stream of different length',
    edit: (cassette) => {
      const response = sent(cassette)
      delete response.body
      response.events = [{ a: { $each: ['1', '2'] }, b: { $each: ['1', '2', '3'] } }]
    },
    named: READ,
  },
  {
    name: 'two exchanges with one id',
    edit: (_, { text }) => text.replaceAll('exchange-2', 'exchange-1'),
    named: READ,
  },
  {
    name: 'base64 that is none',
    edit: (cassette) => {
      delete sent(cassette).body
      sent(cassette).base64 = '!!!!'
    },
    named: ['answer-hash'],
  },
  {
    name: 'status 700',
    edit: (cassette) => void (sent(cassette).status = 700),
    named: READ,
  },
  {
    name: 'status 204 with a body',
    edit: (cassette) => void (sent(cassette).status = 204),
    named: READ,
  },
  {
    name: 'numbers without end',
    edit: (_, { text }) => text.replace('"input_tokens": 100', '"input_tokens": 1e999999'),
    named: READ,
  },
  {
    name: 'a javascript: URL',
    edit: (cassette) => void (first(cassette).request.url = 'javascript:alert(1)'),
    named: READ,
  },
  {
    name: 'a file: URL',
    edit: (cassette) => void (first(cassette).request.url = 'file:///etc/passwd'),
    named: READ,
  },
  {
    name: 'a header within a header',
    edit: (cassette) => void (sent(cassette).headers['content-type'] = 'a/b\r\nset-cookie: a=b'),
    named: READ,
  },
  {
    name: 'a header that sets a cookie',
    edit: (cassette) => void Object.assign(sent(cassette).headers, { 'set-cookie': 'a=b' }),
    named: ['answer-hash'],
  },
  {
    name: 'a redirect to a host of the stranger',
    edit: (cassette) => {
      const response = sent(cassette)
      response.status = 307
      response.headers.location = 'https://stranger.invalid/'
    },
    named: ['answer-hash'],
  },
  {
    name: 'a billion spaces in an answer',
    edit: (cassette) => void (sent(cassette).layout = { indent: 1e9 }),
    named: READ,
  },
  {
    name: 'a billion spaces behind an answer',
    edit: (cassette) => void (sent(cassette).layout = { end: ' '.repeat(1e6) }),
    named: READ,
  },
  {
    name: '30 MB in one answer',
    isHeavy: true,
    edit: answer('x'.repeat(30 * GIGANTIC)),
    named: ['answer-hash'],
  },
  { name: 'half a surrogate pair', edit: answer('\ud800'), named: ['answer-hash'] },
  {
    name: 'bytes that are no UTF-8',
    edit: (_, { text }) => Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x28])]),
    named: READ,
  },
  { name: 'a byte order mark', edit: (_, { text }) => `\ufeff${text}`, named: ['form'] },
  { name: 'CRLF line ends', edit: (_, { text }) => text.replaceAll('\n', '\r\n'), named: ['form'] },
  { name: 'version 99', edit: (cassette) => void (cassette.version = '99'), named: READ },
  { name: 'an empty file', edit: () => '', named: READ },
  { name: 'a list', edit: () => '[]', named: READ },
  { name: 'garbage behind the end', edit: (_, { text }) => `${text}{}`, named: READ },
  {
    name: 'markers of a merge conflict',
    edit: (_, { text }) => text.replace('  "exchanges"', '<<<<<<< HEAD\n  "exchanges"'),
    named: READ,
  },
  {
    name: 'the name of a file in capitals',
    edit: (_, { file }) =>
      renameSync(file, join(dirname(file), basename(file).toUpperCase().replace('.JSON', '.json'))),
    named: ['paths'],
  },
]
