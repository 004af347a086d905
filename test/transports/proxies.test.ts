import { expect, test } from 'vitest'
import {
  ownProxies,
  pastProxies,
  pickProxies,
  proxies,
  readProxies,
} from '../../src/transports/child-environment.ts'

const base = 'http://127.0.0.1:4242/token'
const USER = {
  HTTPS_PROXY: 'http://me:secret@proxy:3128',
  http_proxy: 'proxy:3128',
  ALL_PROXY: 'socks5://proxy:1080',
  NO_PROXY: '*',
}

test('the gateway is the proxy of every program, for what is asked of this machine too', () => {
  const told = proxies({}, base)
  expect(told).toEqual({
    HTTPS_PROXY: 'http://token:none@127.0.0.1:4242',
    https_proxy: 'http://token:none@127.0.0.1:4242',
    HTTP_PROXY: 'http://token:none@127.0.0.1:4242',
    http_proxy: 'http://token:none@127.0.0.1:4242',
    NO_PROXY: '127.0.0.1:4242',
    no_proxy: '127.0.0.1:4242',
  })
})

test('proxies of the user stand behind it, in its address, and no list of theirs leads past it', () => {
  const told = proxies(USER, base)
  const { username, password, host } = new URL(told.HTTPS_PROXY!)
  expect([username, host]).toEqual(['token', '127.0.0.1:4242'])
  expect(readProxies(password)).toEqual(USER)
  expect(new Set([told.https_proxy, told.http_proxy, told.ALL_PROXY])).toEqual(
    new Set([told.HTTPS_PROXY]),
  )
  expect(told.NO_PROXY).toBe('127.0.0.1:4242')
  expect(told).not.toHaveProperty('all_proxy')
})

test.for([[{}], [USER], [{ no_proxy: 'internal' }]])(
  'a program that was told tells its children the same, and knows what was there before: %j',
  ([own]) => {
    const told = { ...own, ...proxies(own!, base) }
    expect(proxies(told, base)).toEqual(proxies(own!, base))
    expect(pickProxies({ ...told, ...ownProxies(told, base) })).toEqual(own)
  },
)

test('the proxies of others are not taken for its own, nor is what is no list of them', () => {
  expect(ownProxies(USER, base)).toEqual({})
  expect(ownProxies({ HTTPS_PROXY: 'http://other@127.0.0.1:4242' }, base)).toEqual({})
  expect(readProxies('secret')).toEqual({})
})

test('an address at which a program is refused is asked past the proxies of the user', () => {
  const env = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'internal' }
  expect(pastProxies(env).no_proxy).toBe('internal,127.0.0.1,localhost,::1')
  expect(pastProxies({ NO_PROXY: 'internal' })).toEqual({})
})
