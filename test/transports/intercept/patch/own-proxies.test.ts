import { expect, test } from 'vitest'
import { connectTo, proxyFor } from '../../../../src/transports/intercept/patch/own-proxies.ts'

const proxy = 'http://proxy:3128'

test.for([
  ['https://api.openai.com', { HTTPS_PROXY: proxy }, 'proxy:3128'],
  ['wss://api.openai.com', { HTTPS_PROXY: proxy }, 'proxy:3128'],
  ['http://api.openai.com', { HTTPS_PROXY: proxy }, undefined],
  ['http://api.openai.com', { http_proxy: 'proxy:3128' }, 'proxy:3128'],
  ['https://api.openai.com', { all_proxy: proxy }, 'proxy:3128'],
  ['https://api.openai.com', { HTTPS_PROXY: 'http://upper:1', https_proxy: proxy }, 'proxy:3128'],
  ['https://api.openai.com', {}, undefined],
  ['https://127.0.0.1', { HTTPS_PROXY: proxy }, undefined],
  ['http://[::1]:80', { HTTP_PROXY: proxy }, undefined],
] as const)('%s by %j goes by %s', ([address, own, expected]) => {
  expect(proxyFor(new URL(address), own)?.host).toBe(expected)
})

test.for([
  ['*', true],
  ['openai.com', true],
  ['.openai.com', true],
  ['*.openai.com', true],
  ['internal, api.openai.com', true],
  ['api.openai.com:443', true],
  ['api.openai.com:8443', false],
  ['penai.com', false],
  ['', false],
  ['10.0.0.0/8', false],
] as const)('NO_PROXY=%s leads past the proxy: %s', ([list, isPast]) => {
  const own = { HTTPS_PROXY: proxy, NO_PROXY: list }
  expect(proxyFor(new URL('https://api.openai.com'), own) === undefined).toBe(isPast)
})

test.for([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['10.1.2.3', '10.0.0.0/99', false],
  ['[fd00::1]', 'fd00::/8', true],
  ['[fd00::1]', 'fd00::1', true],
  ['[fd00::1]', '[fd00::1]:443', true],
  ['[fd00::1]', '10.0.0.0/8', false],
] as const)('%s is asked past the proxy by NO_PROXY=%s: %s', ([host, list, isPast]) => {
  const own = { HTTPS_PROXY: proxy, no_proxy: list }
  expect(proxyFor(new URL(`https://${host}`), own) === undefined).toBe(isPast)
})

test('a kind of proxy that cannot be asked is named', () => {
  expect(() => connectTo(new URL('socks5://proxy:1080'))).toThrow(/socks5:\/\/proxy .*https:/)
})
