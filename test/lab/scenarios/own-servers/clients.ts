import { execFile } from 'node:child_process'
import http from 'node:http'
import http2 from 'node:http2'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import axios from 'axios'
import got from 'got'
import OpenAI from 'openai'
import { request } from 'undici'

const run = promisify(execFile)
const PATH = '/v1/chat/completions'

function bodyOf(question: string): { model: string; messages: object[] } {
  return { model: 'gpt-5', messages: [{ role: 'user', content: question }] }
}

/** Asks with a new process of Node. */
const CHILD = `fetch(process.argv[1], { method: 'POST', body: process.argv[2] })
  .then((answer) => answer.text()).then((text) => console.log(text))`

/** Asks in a thread. */
const THREAD = `const { workerData, parentPort } = require('node:worker_threads')
fetch(workerData.url, { method: 'POST', body: workerData.body })
  .then((answer) => answer.json()).then((answer) => parentPort.postMessage(answer))`

/** The clients by which people ask a server, each by its name. */
export const clients: Record<string, (url: string, question: string) => Promise<any>> = {
  fetch: async (url, question) => {
    const body = JSON.stringify(bodyOf(question))
    return (await fetch(url + PATH, { method: 'POST', body })).json()
  },
  'an SDK': (url, question) =>
    new OpenAI({ apiKey: 'sk', baseURL: `${url}/v1`, maxRetries: 0 }).chat.completions.create(
      bodyOf(question) as never,
    ) as never,
  'node:http': (url, question) =>
    new Promise((resolve, reject) => {
      const asked = http.request(url + PATH, { method: 'POST' }, (answer) => {
        text(answer).then((body) => resolve(JSON.parse(body)), reject)
      })
      asked.on('error', reject).end(JSON.stringify(bodyOf(question)))
    }),
  axios: async (url, question) => (await axios.post(url + PATH, bodyOf(question))).data,
  got: (url, question) =>
    got.post(url + PATH, { json: bodyOf(question), retry: { limit: 0 } }).json(),
  undici: async (url, question) => {
    const body = JSON.stringify(bodyOf(question))
    return (await request(url + PATH, { method: 'POST', body })).body.json()
  },
  curl: async (url, question) => {
    const { stdout } = await run('curl', ['-s', '-d', JSON.stringify(bodyOf(question)), url + PATH])
    return JSON.parse(stdout)
  },
  'a child process': async (url, question) => {
    const args = ['-e', CHILD, url + PATH, JSON.stringify(bodyOf(question))]
    return JSON.parse((await run(process.execPath, args)).stdout)
  },
  'a thread': (url, question) =>
    new Promise((resolve, reject) => {
      const workerData = { url: url + PATH, body: JSON.stringify(bodyOf(question)) }
      new Worker(THREAD, { eval: true, workerData }).on('message', resolve).on('error', reject)
    }),
}

/** Asks over HTTP/2 without TLS. */
export function askHttp2(url: string, question: string): Promise<any> {
  return new Promise((resolve, reject) => {
    const session = http2.connect(url).on('error', reject)
    const stream = session.request({ ':method': 'POST', ':path': PATH })
    text(stream)
      .then((body) => resolve(JSON.parse(body)), reject)
      .finally(() => session.close())
    stream.end(JSON.stringify(bodyOf(question)))
  })
}
