import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clients } from './clients.ts'
import { gateway } from './gateway.mjs'

describe('in this process', () => {
  let url: string
  beforeAll(async () => {
    await once(gateway.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  })
  afterAll(() => void gateway.close())

  test.for(Object.keys(clients))('is asked by %s', async (name) => {
    const { choices } = await clients[name]!(url, `Hello from ${name}`)
    expect(choices[0].message.content).toBe(`By the gateway: You said: Hello from ${name}`)
  })
})

describe('in a child process', () => {
  let child: ChildProcess
  let url: string
  beforeAll(async () => {
    const program = `${import.meta.dirname}/gateway.mjs`
    child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [port] = (await once(child.stdout!, 'data')) as [Buffer]
    url = `http://localhost:${Number(port)}`
  })
  afterAll(() => void child.kill())

  test('is asked by fetch', async () => {
    const { choices } = await clients.fetch!(url, 'Hello, child')
    expect(choices[0].message.content).toBe('By the gateway: You said: Hello, child')
  })
})
