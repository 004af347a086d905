// Asks as the SDK does that finds its key in the environment.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import OpenAI from 'openai'

const words = isMainThread ? process.argv.slice(2) : workerData
const self = new URL(import.meta.url)

async function ask([first, ...more]) {
  if (first === 'thread' || first === 'process') return pass(first, more)
  const openai = new OpenAI({ baseURL: `${process.env.UPSTREAM_URL}/v1` })
  const messages = [{ role: 'user', content: first }]
  const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages })
  return choices[0].message.content
}

async function pass(kind, more) {
  if (kind === 'thread') return (await once(new Worker(self, { workerData: more }), 'message'))[0]
  return (await promisify(execFile)(process.execPath, [self.pathname, ...more])).stdout.trim()
}

const answer = await ask(words).catch((error) => error.message)
if (!isMainThread) parentPort.postMessage(answer)
else if (process.send) process.send(answer, () => process.disconnect())
else console.log(answer)
