// Each of these has its calls made by another process or thread.
import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

const { CHANGED = '' } = process.env
const run = promisify(execFile)
const child = new URL('./child.mjs', import.meta.url)

async function byNode(...words: string[]): Promise<string> {
  return (await run(process.execPath, [child.pathname, ...words])).stdout.trim()
}

test.for(['fetch', 'http', 'http2', 'socket'])('a child asks by %s', async (transport) => {
  const question = `By ${transport}${CHANGED}`
  expect(await byNode(transport, question)).toBe(`Odd: ${question}`)
})

test('an SDK in a child finds its address', async () => {
  expect(await byNode('sdk', `slow${CHANGED}`)).toBe('one two three')
})

test('a child with an environment of its own', async () => {
  const { UPSTREAM_URL } = process.env
  const env = { PATH: process.env.PATH, ...(UPSTREAM_URL ? { UPSTREAM_URL } : {}) }
  const { stdout } = await run(process.execPath, [child.pathname, 'fetch', `Alone${CHANGED}`], {
    env,
  })
  expect(stdout.trim()).toBe(`Odd: Alone${CHANGED}`)
})

test('a child of a child, by a shell', async () => {
  const started = spawn('sh', [
    '-c',
    `node child.mjs fetch "Grandchild${CHANGED}"; node child.mjs http Twice`,
  ])
  expect(await text(started.stdout)).toBe(`Odd: Grandchild${CHANGED}\nOdd: Twice\n`)
})

test('Python', async () => {
  const { stdout } = await run('python3', ['child.py', `Python${CHANGED}`])
  expect(stdout.trim()).toBe(`Odd: Python${CHANGED}`)
})

test('a worker thread', async () => {
  const worker = new Worker(child, { workerData: ['fetch', `Thread${CHANGED}`] })
  expect((await once(worker, 'message'))[0]).toBe(`Odd: Thread${CHANGED}`)
})

test('the test and its child share a cassette', async () => {
  expect(await ask(`Mine${CHANGED}`)).toBe(`Odd: Mine${CHANGED}`)
  expect(await byNode('fetch', `Its${CHANGED}`)).toBe(`Odd: Its${CHANGED}`)
})

test.for(['one', 'two', 'three'])('at the same time: %s', { concurrent: true }, async (name) => {
  expect(await byNode('fetch', `${name}${CHANGED}`)).toBe(`Odd: ${name}${CHANGED}`)
  expect(await byNode('fetch', `${name} again`)).toBe(`Odd: ${name} again`)
})

test('a child that asks nothing costs no cassette', async () => {
  const forked = fork(child.pathname, ['nothing'], { silent: true })
  await once(forked, 'exit')
})

test('a child with a cassette of its own', async () => {
  const env = { ...process.env, CASSETTE: 'own/own.json' }
  const { stdout } = await run(process.execPath, [child.pathname, 'fetch', 'Own'], { env })
  expect(stdout.trim()).toBe('Odd: Own')
})
