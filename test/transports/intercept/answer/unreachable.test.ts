import { expect, test } from 'vitest'
import {
  noteUnreachable,
  noteReached,
  unreachable,
} from '../../../../src/transports/intercept/answer/upstream.ts'

let hosts = 0
const newUrl = (): string => `https://llm-${++hosts}.example.com/v1/chat/completions`
const refused = (code: string): Error =>
  Object.assign(new TypeError('fetch failed'), { cause: { code } })

/** Fails in a request that begins now. */
function fail(url: string, code = 'ENOTFOUND', started = performance.now()): Error | undefined {
  noteUnreachable(url, refused(code), started)
  return unreachable(url)
}

test('a host that cannot be reached twice is asked no more', () => {
  const url = newUrl()
  expect(fail(url)).toBeUndefined()
  expect(fail(url)).toBeInstanceOf(TypeError)
  expect(unreachable(url.replace('chat/completions', 'responses'))).toBeDefined()
  expect(unreachable(newUrl())).toBeUndefined()
})

test('one failure does not count twice, however many requests it breaks', () => {
  const url = newUrl()
  const started = performance.now()
  for (let count = 0; count < 5; count++) expect(fail(url, 'ENOTFOUND', started)).toBeUndefined()
})

test('an answer in between begins anew', () => {
  const url = newUrl()
  fail(url)
  noteReached(url)
  expect(fail(url)).toBeUndefined()
})

test('a server of this machine may be slow to start, and a connection can break', () => {
  for (let count = 0; count < 5; count++) {
    expect(fail('http://localhost:9/v1/chat/completions', 'ECONNREFUSED')).toBeUndefined()
    expect(fail('http://llm.example.com/v1/chat/completions', 'ECONNRESET')).toBeUndefined()
  }
})
