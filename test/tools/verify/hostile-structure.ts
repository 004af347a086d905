import { closeSync, ftruncateSync, openSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  GIGANTIC,
  READ,
  answer,
  explode,
  first,
  message,
  same,
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
        '{ "$same": "exchange-1", "count"',
        `${'{"$same":"exchange-1","count":1},'.repeat(GIGANTIC)}{ "$same": "exchange-1", "count"`,
      ),
    named: READ,
  },
  {
    name: 'references that double 60 times, in lists',
    edit: (cassette) =>
      explode(cassette, ($same, count) => ({
        messages: [
          { $same, count },
          { $same, count },
        ],
      })),
    named: READ,
  },
  {
    name: 'references that double 60 times, in objects',
    edit: (cassette) =>
      explode(cassette, ($same) => ({
        messages: [
          { a: { $same, at: '/wire/request/body' }, b: { $same, at: '/wire/request/body' } },
        ],
      })),
    named: READ,
  },
  {
    name: 'a reference to where it stands',
    edit: same({ a: { $same: 'exchange-2', at: '' } }),
    named: READ,
  },
  {
    name: 'a reference beyond the end',
    edit: same({ $same: 'exchange-1', from: 1, count: 1e9 }),
    named: READ,
  },
  {
    name: 'a reference to __proto__',
    edit: same({ $same: 'exchange-1', at: '/__proto__/constructor' }),
    named: READ,
  },
  {
    name: 'two exchanges with one id',
    edit: (_, { text }) => text.replaceAll('exchange-2', 'exchange-1'),
    named: ['ids'],
  },
  {
    name: 'base64 that is none',
    edit: (cassette) => void (first(cassette).wire.response.body = { $base64: '!!!!' }),
    named: ['answer-hash'],
  },
  {
    name: 'status 700',
    edit: (cassette) => void (first(cassette).wire.response.status = 700),
    named: READ,
  },
  {
    name: 'status 204 with a body',
    edit: (cassette) => void (first(cassette).wire.response.status = 204),
    named: READ,
  },
  {
    name: 'numbers without end',
    edit: (_, { text }) => text.replace('"input_tokens": 100', '"input_tokens": 1e999999'),
    named: READ,
  },
  {
    name: 'a javascript: URL',
    edit: (cassette) => void (first(cassette).wire.request.url = 'javascript:alert(1)'),
    named: READ,
  },
  {
    name: 'a file: URL',
    edit: (cassette) => void (first(cassette).wire.request.url = 'file:///etc/passwd'),
    named: READ,
  },
  {
    name: 'a header within a header',
    edit: (cassette) =>
      void (first(cassette).wire.response.headers['content-type'] = 'a/b\r\nset-cookie: a=b'),
    named: READ,
  },
  {
    name: 'a header that sets a cookie',
    edit: (cassette) =>
      void Object.assign(first(cassette).wire.response.headers, { 'set-cookie': 'a=b' }),
    named: READ,
  },
  {
    name: 'a redirect to a host of the stranger',
    edit: (cassette) => {
      const { response } = first(cassette).wire
      response.status = 307
      response.headers.location = 'https://stranger.invalid/'
    },
    named: ['answer-hash'],
  },
  {
    name: 'a billion spaces in an event',
    edit: (cassette) =>
      void (first(cassette).wire.response.body = { $events: [{ data: {}, pad: 1e9 }] }),
    named: READ,
  },
  {
    name: 'a billion spaces in a text',
    edit: (cassette) =>
      void (message(cassette).content = { $stringified: {}, layout: { indent: 1e9 } }),
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
