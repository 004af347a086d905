// Each asks by a way of its own. Nobody sees what went wrong.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { test } from 'vitest'
import { ask, names } from './ask.mjs'

const run = promisify(execFile)
const program = new URL('./ask.mjs', import.meta.url)
const { TARGET = 'http://127.0.0.1:59', CHANGED = '' } = process.env
const url = `${TARGET}/v1/chat/completions`

const URLLIB = `import sys, urllib.request as r
print(r.urlopen(r.Request(sys.argv[1], sys.argv[2].encode(), {'authorization': 'Bearer sk-of-the-table'})).read().decode())`

function promptOf(way: string): string {
  const messages = [{ role: 'user', content: `By ${way}${CHANGED}` }]
  return JSON.stringify({ model: 'gpt-5', messages })
}

test.for(names)('child %s', async (way) => {
  await run(process.execPath, [program.pathname, way])
})

test.for(names)('thread %s', async (way) => {
  const worker = new Worker(program, { workerData: way })
  await once(worker, 'message')
})

test('program curl', async () => {
  const auth = 'authorization: Bearer sk-of-the-table'
  await run('curl', ['-s', '-H', auth, '-d', promptOf('curl'), url])
})

test('program urllib', async () => {
  await run('python3', ['-c', URLLIB, url, promptOf('urllib')])
})

test.for(names)('main %s', async (way) => {
  await ask(way)
})
