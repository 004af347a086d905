import { expect, test } from 'vitest'
import {
  addressAt,
  addressOfCaught,
  pathAt,
  readAddress,
  withoutGateway,
} from '../../src/transports/address.ts'

const BASE = 'http://127.0.0.1:4242/a1-b2'

test.for([
  ['https://api.openai.com/v1', '/https/api.openai.com/v1'],
  ['https://api.anthropic.com/', '/https/api.anthropic.com'],
  ['http://localhost:11434', '/http/localhost:11434'],
  ['http://[::1]:8080/v1/', '/http/[::1]:8080/v1'],
  ['https://example.com/openai?api-version=1', '/https/example.com/openai?api-version=1'],
] as const)('%s has an address at the gateway, and is found by it', ([upstream, path]) => {
  const address = addressAt(BASE, upstream)
  expect(address).toBe(BASE + path)
  const { pathname, search } = new URL(address)
  const asked = readAddress(pathname + search)
  expect(asked).toEqual({ token: 'a1-b2', url: upstream.replace(/\/$/, ''), isCaught: false })
  expect(readAddress(path)).toMatchObject({ token: '', url: upstream.replace(/\/$/, '') })
  expect(withoutGateway(`{"at":"${address}"}`, BASE)).toBe(
    `{"at":"${upstream.replace(/\/$/, '')}"}`,
  )
})

test('clients spell a port in their own way', () => {
  expect(readAddress('/t/http/localhost%3A8080/v1')?.url).toBe('http://localhost:8080/v1')
  expect(readAddress('/t//http/localhost:8080//v1')?.url).toBe('http://localhost:8080//v1')
})

test.for(['/', '/favicon.ico', '/t/v1/chat/completions', '/t/ftp/host/x', '/t/https/%/x'])(
  '%s leads nowhere',
  (path) => expect(readAddress(path)).toBeUndefined(),
)

test('what was caught keeps its address to the letter', () => {
  const url = 'https://api.openai.com/v1/files/?limit=2'
  const { pathname, search } = new URL(addressOfCaught(BASE, url))
  expect(readAddress(pathname + search)).toEqual({ token: 'a1-b2', url, isCaught: true })
})

test('a program that takes the gateway for its proxy can ask it by its whole address', () => {
  const origin = 'http://127.0.0.1:4242'
  expect(pathAt(origin, `${origin}/token/https/host/v1`)).toBe('/token/https/host/v1')
  expect(pathAt(origin, '/token/https/host/v1')).toBe('/token/https/host/v1')
  expect(pathAt(origin, 'http://127.0.0.1:42420/v1')).toBe('http://127.0.0.1:42420/v1')
})
