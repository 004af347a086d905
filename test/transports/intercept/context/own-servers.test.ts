import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { noteListening } from '../../../../src/transports/intercept/context/note-listening.ts'
import { isOwnServer } from '../../../../src/transports/intercept/context/own-servers.ts'

test('a server of this run is its own, unless the options name its host with its port', async () => {
  onTestFinished(noteListening())
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const isOwn = (...hosts: string[]): boolean =>
    isOwnServer(`http://127.0.0.1:${port}/v1/chat/completions`, hosts)
  expect([isOwn(), isOwn('127.0.0.1'), isOwn('127.0.0.1:1')]).toEqual([true, true, true])
  expect(isOwn(`127.0.0.1:${port}`)).toBe(false)
  expect(isOwnServer('http://127.0.0.1:1/v1/chat/completions', [])).toBe(false)
  expect(isOwnServer(`https://api.openai.com:${port}/v1/chat/completions`, [])).toBe(false)
})

test('a port at which nobody listened is one of a server of this run as soon as that listens', async () => {
  const before = createServer().listen(0, '127.0.0.1')
  await once(before, 'listening')
  const { port } = before.address() as AddressInfo
  before.close()
  await once(before, 'close')
  const isOwn = (): boolean => isOwnServer(`http://127.0.0.1:${port}/v1/chat/completions`, [])
  expect(isOwn()).toBe(false)
  onTestFinished(noteListening())
  const server = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  expect(isOwn()).toBe(true)
})
