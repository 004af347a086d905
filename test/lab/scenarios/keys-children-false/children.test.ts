import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const child = new URL('../keys/child.mjs', import.meta.url)

test('a thread', async () => {
  const [answer] = await once(new Worker(child, { workerData: ['Hello'] }), 'message')
  expect(answer).toBe('You said: Hello')
})

test('a process', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [child.pathname, 'Hello'])
  expect(stdout.trim()).toBe('You said: Hello')
})
