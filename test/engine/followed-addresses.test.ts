import { expect, test } from 'vitest'
import { readIncoming } from '../../src/engine/incoming.ts'
import { FollowedAddresses } from '../../src/engine/followed-addresses.ts'
import type { Naming } from '../../src/engine/may-lead.ts'
import { readText } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { WireRequest } from '../../src/wire/message.ts'

const EMPTY = { kind: 'empty' as const }

function asked(url: string, body: WireRequest['body'] = EMPTY): WireRequest {
  return { method: 'POST', url, body }
}

function located(location: string, status = 307): Naming {
  return { status, headers: { location }, body: EMPTY }
}

function saying(value: object): Naming {
  return { status: 200, headers: {}, body: readText(JSON.stringify(value)) }
}

const CHAT = 'https://api.openai.com/v1/chat/completions'
const GATEWAY = 'http://127.0.0.1:4000/v1/chat/completions'
const JOB = 'https://api.replicate.com/v1/models/meta/llama/predictions'

test.each<[string, url: string, location: string, to: string]>([
  ['an address', CHAT, 'https://thief.invalid/a', 'https://thief.invalid/a'],
  ['any other path of that host', CHAT, 'https://thief.invalid/a', 'https://thief.invalid/b?c'],
  ['the host in capitals', CHAT, 'https://THIEF.invalid', 'https://thief.invalid/'],
  ['the dot of the DNS root', CHAT, 'https://thief.invalid./a', 'https://thief.invalid/a'],
  ['another scheme', CHAT, 'http://thief.invalid/a', 'https://thief.invalid/a'],
  ['the scheme of the request', GATEWAY, '//thief.invalid/a', 'http://thief.invalid/a'],
  ['slashes the other way round', CHAT, '\\\\thief.invalid\\a', 'https://thief.invalid/a'],
  ['tabs', CHAT, 'https://thi\tef.invalid/a', 'https://thief.invalid/a'],
  ['a password', CHAT, 'https://user:password@thief.invalid/a', 'https://thief.invalid/a'],
  ['the address of a loopback', CHAT, 'http://127.0.0.1:81/', 'http://127.0.0.1:81/b'],
  ['a number for one', CHAT, 'http://0x7f.1:81/', 'http://127.0.0.1:81/'],
  ['another port', GATEWAY, 'http://127.0.0.1:81/', 'http://127.0.0.1:81/b'],
  ['a path', GATEWAY, '/other', 'http://127.0.0.1:4000/other?a=b'],
  ['a path beside it', GATEWAY, 'other', 'http://127.0.0.1:4000/v1/chat/other'],
  ['letters as bytes', CHAT, 'https://th\u00efef.invalid', 'https://th\u00efef.invalid/'],
  ['letters as UTF-8', CHAT, 'https://th\u00c3\u00afef.invalid', 'https://th\u00efef.invalid/'],
  ['a socket', CHAT, 'https://thief.invalid/', 'wss://thief.invalid/a'],
])('a redirect leads there: %s', (_, url, location, to) => {
  const leads = new FollowedAddresses()
  expect(leads.to(to)).toBeUndefined()
  leads.add(readIncoming(asked(url)), located(location))
  expect(leads.to(to)).toMatchObject({ by: 'redirect', asked: { url } })
})

test.each([
  ['another host', located('https://thief.invalid/'), 'https://other.invalid/'],
  ['a host that only ends so', located('https://thief.invalid/'), 'https://a.thief.invalid/'],
  ['another port', located('http://127.0.0.1:81/'), 'http://127.0.0.1:82/'],
  ['another path of the same host', located('/moved'), 'https://api.openai.com/move'],
  ['what is no address', located('http://'), 'http://thief.invalid/'],
  ['a relative address', located('https://thief.invalid/'), '/moved'],
])('nothing leads there: %s', (_, answer, to) => {
  const leads = new FollowedAddresses()
  leads.add(readIncoming(asked(CHAT)), answer)
  expect(leads.to(to)).toBeUndefined()
})

test.each<[string, Naming]>([
  ['the location of a job', located('https://thief.invalid/jobs/7', 202)],
  ['a field', saying({ id: 7, urls: { get: 'https://thief.invalid/jobs/7' } })],
  ['a list', saying({ output: ['https://thief.invalid/jobs/7?sig=1'] })],
  [
    'an event',
    {
      status: 200,
      headers: {},
      body: readBody(
        Buffer.from('data: {"url":"https://thief.invalid/jobs/7"}\n\n'),
        'text/event-stream',
      ),
    },
  ],
  ['a text', { status: 200, headers: {}, body: readText('https://thief.invalid/jobs/7\n') }],
])('the answer of a job leads to an address and what is below it: %s', (_, answer) => {
  const leads = new FollowedAddresses()
  leads.add(readIncoming(asked(JOB)), answer)
  expect(leads.to('https://thief.invalid/jobs/7?page=2')).toBeDefined()
  expect(leads.to('https://thief.invalid/jobs/7/cancel')).toBeDefined()
  expect(leads.to('https://thief.invalid/jobs/70')).toBeUndefined()
})

test('what a model says leads nowhere, nor does an address within a text', () => {
  const leads = new FollowedAddresses()
  const call = { function: { arguments: { url: 'https://shop.example/' } } }
  leads.add(readIncoming(asked(CHAT)), saying({ choices: [{ message: { tool_calls: [call] } }] }))
  leads.add(readIncoming(asked(JOB)), saying({ logs: 'see https://shop.example/' }))
  expect(leads.to('https://shop.example/')).toBeUndefined()
})

test('an address at which a client wants to be called leads it nowhere, though answers repeat it', () => {
  const leads = new FollowedAddresses()
  const webhook = 'http://127.0.0.1:3000/hook'
  leads.add(readIncoming(asked(JOB, readText(JSON.stringify({ webhook })))), saying({ id: 7 }))
  leads.add(readIncoming(asked('https://api.replicate.com/v1/predictions/7')), saying({ webhook }))
  expect(leads.to(webhook)).toBeUndefined()
})
