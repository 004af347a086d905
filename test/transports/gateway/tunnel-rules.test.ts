import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { Gateway } from '../../../src/transports/gateway.ts'
import { isAnsweredTunnel, isNamedTunnel } from '../../../src/transports/gateway/tunnel-rules.ts'
import type { Attempt } from '../../../src/attempt/attempt.ts'
import { takeSeenServers } from '../../../src/transports/reports.ts'
import { layers } from '../../../src/transports/layers.ts'
import { openExample } from '../../engine/example-session.ts'
import { attemptWith } from '../../attempt/example-attempt.ts'

function attempt(options: object = {}): Attempt {
  const session = openExample(undefined, { mode: 'replay', ...options })
  const attempt = attemptWith(session)
  expect(attempt.session).toBe(session)
  return attempt
}

afterEach(() => void vi.unstubAllEnvs())

test.for([
  'llm-gateway.example',
  'litellm.corp.example:8443',
  'ai-gateway.example',
  'gpt4.example',
])('a tunnel to %s is answered: its name says that a model answers there', (host) => {
  for (const mode of ['replay', 'new', 'all'])
    expect(isAnsweredTunnel(host, attempt({ mode }))).toBe(true)
  expect(isAnsweredTunnel(host, attempt({ allowHosts: ['*'] }))).toBe(false)
  expect(isAnsweredTunnel(host, attempt({ mode: 'off' }))).toBe(false)
})

test('a tunnel to a host is answered where a variable says that a model answers there', () => {
  vi.stubEnv('CORP_LLM_URL', 'https://corp.example/v1')
  vi.stubEnv('SHOP_URL', 'https://shop.example/v1')
  expect(isAnsweredTunnel('corp.example:443', attempt())).toBe(true)
  expect(isAnsweredTunnel('shop.example:443', attempt())).toBe(false)
})

test.for([
  'gitlab.com',
  'github.com.evil.example',
  'gist.github.com.example:443',
  'notpypi.org',
  'gptimer.example',
  'small.example',
  'claudette.example',
])('a tunnel to %s leads there, and the end of the run names it', (host) => {
  expect(isAnsweredTunnel(host, attempt())).toBe(false)
  expect(isNamedTunnel(host, attempt())).toBe(true)
  expect(isNamedTunnel(host, attempt({ allowHosts: ['*'] }))).toBe(false)
  expect(isNamedTunnel(host, attempt({ mode: 'off' }))).toBe(false)
})

test.for([
  'github.com',
  'GitHub.com.:443',
  'registry.npmjs.org:443',
  'pypi.org:443',
  'files.pythonhosted.org:443',
  'static.crates.io',
  'proxy.golang.org',
])('a tunnel to %s leads there and is not named: it has packages, and no model', (host) => {
  for (const mode of ['replay', 'new', 'all']) {
    expect(isAnsweredTunnel(host, attempt({ mode }))).toBe(false)
    expect(isNamedTunnel(host, attempt({ mode }))).toBe(false)
  }
})

test('a tunnel to a registry is answered where an option or a variable says that a model answers there', () => {
  expect(isAnsweredTunnel('ghcr.io:443', attempt({ hosts: ['ghcr.io'] }))).toBe(true)
  vi.stubEnv('LLM_BASE_URL', 'https://api.github.com/v1')
  expect(isAnsweredTunnel('api.github.com:443', attempt())).toBe(true)
})

test('a tunnel of git itself is not named, at any forge', () => {
  expect(isNamedTunnel('git.corp.example', attempt(), 'git/2.39.5')).toBe(false)
  expect(isNamedTunnel('git.corp.example', attempt(), 'agent git/2.39.5')).toBe(true)
})

test('tunnels to this machine and side requests are not named', () => {
  for (const host of ['localhost:3000', '127.0.0.1:3000', 'huggingface.co:443'])
    expect(isNamedTunnel(host, attempt({ mode: 'all' }))).toBe(false)
})

test('the gateway notes the tunnels that it opens: once by host, with the program', async () => {
  const world = createServer().on('connect', ({ url }, socket) => {
    socket.on('error', () => {})
    socket.write(`HTTP/1.1 ${url!.startsWith('gone') ? 502 : 200} Said\r\n\r\n`)
  })
  await once(world.listen(0, '127.0.0.1'), 'listening')
  const proxy = `http://127.0.0.1:${(world.address() as AddressInfo).port}`
  const own = Buffer.from(JSON.stringify({ HTTPS_PROXY: proxy })).toString('base64url')
  const gateway = new Gateway({ layers })
  const started = { program: 'agent', command: 'agent', callSite: new Error('started here') }
  const base = gateway.admit(attempt(), undefined, started)
  const user = Buffer.from(`${new URL(base).pathname.slice(1)}:${own}`).toString('base64')
  takeSeenServers()
  for (const [host, agent = 'curl/8'] of [
    ['gone.example:443'],
    ['corp.example:443'],
    ['corp.example:443'],
    ['git.example:443', 'git/2.39.5'],
  ]) {
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    const headers = `proxy-authorization: Basic ${user}\r\nuser-agent: ${agent}`
    socket.write(`CONNECT ${host} HTTP/1.1\r\n${headers}\r\n\r\n`)
    await once(socket, 'data')
    socket.destroy()
  }
  expect(takeSeenServers().tunnels).toEqual([['corp.example:443', 'agent']])
  expect(takeSeenServers().tunnels).toEqual([])
  await gateway.close()
  world.closeAllConnections()
  world.close()
})
