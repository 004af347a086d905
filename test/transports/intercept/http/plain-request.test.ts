import { expect, test } from 'vitest'
import { plainRequest } from '../../../../src/transports/intercept/http/plain-request.ts'

const url = 'https://api.openai.com/v1/responses'
const post = { method: 'POST', body: '{"a":1}' }

test.each<[string, string | URL, RequestInit]>([
  ['a text', url, post],
  ['a URL', new URL(url), post],
  ['headers of a kind', url, { ...post, headers: { 'Content-Type': 'application/json' } }],
  ['a signal', url, { ...post, signal: new AbortController().signal }],
  ['fields that say nothing', url, { ...post, redirect: undefined, signal: null }],
])('what is asked with %s is plain', (_, input, init) => {
  expect(plainRequest(input, init)).toMatchObject({ ...post, url })
})

test.each<[string, unknown, unknown]>([
  ['no options', url, undefined],
  ['a password in its address', url.replace('//', '//me:secret@'), post],
  ['a request', new Request(url, post), post],
  ['another method', url, { ...post, method: 'PUT' }],
  ['no body', url, { ...post, body: '' }],
  ['bytes', url, { ...post, body: Buffer.from('{}') }],
  ['half a surrogate pair', url, { ...post, body: '"\ud800"' }],
  ['a form', url, { ...post, headers: { 'content-type': 'multipart/form-data; boundary=a' } }],
  ['a coding', url, { ...post, headers: { 'Content-Encoding': 'gzip' } }],
  ['headers that are none', url, { ...post, headers: { 'a b': 'c' } }],
  ['an end that has come', url, { ...post, signal: AbortSignal.abort() }],
  ['what is no signal', url, { ...post, signal: {} }],
  ['a word on redirects', url, { ...post, redirect: 'manual' }],
  ['a dispatcher', url, { ...post, dispatcher: {} }],
])('what is asked with %s is for fetch to judge', (_, input, init) => {
  expect(plainRequest(input, init as RequestInit)).toBeUndefined()
})

test('what its caller changes afterwards changes no request that is made already', () => {
  const headers = new Headers({ authorization: 'Bearer first', 'anthropic-beta': 'one' })
  const url = new URL('https://api.openai.com/v1/chat/completions')
  const init = { method: 'POST', headers, body: '{}' }
  const asked = plainRequest(url, init)!
  headers.set('authorization', 'Bearer second')
  headers.delete('anthropic-beta')
  url.pathname = '/v1/other'
  init.body = '{"changed":true}'
  expect({ ...asked, headers: [...asked.headers] }).toMatchObject({
    url: 'https://api.openai.com/v1/chat/completions',
    body: '{}',
    headers: [
      ['anthropic-beta', 'one'],
      ['authorization', 'Bearer first'],
    ],
  })
})
