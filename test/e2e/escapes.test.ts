import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startProxy } from '../upstream/start-proxy.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

/** Stands for a provider: counts who connects, and answers nothing. */
let provider: Server
let connections = 0
let HOST: string

beforeAll(async () => {
  provider = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.end()
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  HOST = `127.0.0.1:${(provider.address() as AddressInfo).port}`
})
beforeEach(() => void (connections = 0))
afterAll(() => void provider.close())

test.each([
  { POOL: 'forks' },
  { POOL: 'threads' },
  { POOL: 'vmThreads' },
  { POOL: 'vmForks' },
  { POOL: 'forks', SETUP: 'import' },
])('in replay no transport reaches a provider, and the test fails: %j', async (env) => {
  const project = new VitestProject('escapes', { HOST, ...env })
  const run = await project.run()
  expect(run.output).toContain('escapes.test.ts (20 tests | 20 failed)')
  expect(run.output).toContain('loopback.test.ts (3 tests)')
  expect(run.output).not.toContain('timed out')
  expect(run.output).not.toContain('Unhandled')
  for (const [transport, host] of [
    ['node:net', HOST],
    ['node:tls', HOST],
    ['node:tls', 'api.openai.com:443'],
    ['fetch in a worker thread', HOST],
    ['fetch in a child process', HOST],
  ])
    expect(run.output).toContain(`A connection to ${host} by ${transport} is refused`)
  expect(run.output).toContain("add '127.0.0.1' to the option allowHosts")
  expect(connections).toBe(0)
})

test('what the global set-up asks is refused too, and what it starts', async () => {
  const project = new VitestProject('escapes', { HOST, GLOBAL: '1' })
  const run = await project.run(['loopback'])
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('by fetch in a global set-up is refused')
  expect(run.output).toContain('by fetch in a child process is refused')
  expect(connections).toBe(0)
})

test.each(['plugin', 'import'])('allowHosts lets a host out, set up by %s', async (SETUP) => {
  const project = new VitestProject('escapes', { HOST, ALLOWED: HOST, SETUP })
  const run = await project.run(['escapes', '-t', '(fetch|node:net|thread|forked|awaited)$'])
  expect(run.output).toContain('6 passed')
  expect(run.exitCode).toBe(0)
  expect(connections).toBeGreaterThanOrEqual(6)
})

test('while recording, what a thread or a child process asks is sent, and the test warns', async () => {
  const project = new VitestProject('escapes', { HOST })
  const names = '(thread|forked|awaited|child of a child|environment of its own)$'
  const run = await project.record(['escapes', '-t', names])
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('6 passed')
  expect(connections).toBeGreaterThanOrEqual(6)
  for (const where of ['worker thread', 'child process']) {
    const text = `A connection to ${HOST} by fetch in a ${where} is not recorded`
    expect(run.output.split(text).length - 1).toBe(where === 'worker thread' ? 2 : 4)
  }
  connections = 0
  const free = await project.record(['escapes', '-t', names], { ALLOWED: HOST })
  expect(free.output).not.toContain('is not recorded')
  expect(connections).toBeGreaterThanOrEqual(6)
})

test('RECORD=off guards nothing', async () => {
  const project = new VitestProject('escapes', { HOST, RECORD: 'off' })
  const run = await project.run(['escapes', '-t', '(fetch|node:net|thread|forked|awaited)$'])
  expect(run.exitCode, run.output).toBe(0)
  expect(connections).toBeGreaterThanOrEqual(6)
})

test('clients that are older than the set-up record and replay', async () => {
  const upstream = await startUpstream()
  const project = new VitestProject('escapes-early', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await project.record()
  await upstream.stop()
  expect(recording.exitCode, recording.output).toBe(0)
  expect(project.files()).toHaveLength(4)
  const run = await project.run()
  expect(run.exitCode, run.output).toBe(0)
})

test('behind a proxy, recording goes through it, and in replay nothing does', async () => {
  const upstream = await startUpstream()
  const proxy = await startProxy()
  const env = { ENDPOINT: upstream.url, NODE_USE_ENV_PROXY: '1' }
  const project = new VitestProject('escapes-proxy', {
    ...env,
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
  })
  const recording = await project.record(['-t', 'the environment$'])
  await upstream.stop()
  expect(recording.exitCode, recording.output).toBe(0)
  expect(proxy.asked).toEqual([new URL(upstream.url).host])

  const run = await project.run()
  proxy.stop()
  expect(run.output).toContain('1 passed')
  expect(run.output).toContain('A tunnel to api.openai.com:443 through a proxy is refused')
  expect(run.output).toContain('to api.openai.com:443 by a proxy in a child process is refused')
  expect(run.output).toContain('Tests  2 failed | 1 passed')
  expect(proxy.asked).toHaveLength(1)
})
