import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

// Kept before the tests fake them: it is this application that goes on with a fallback.
const { parse } = JSON
const url = `${process.env.UPSTREAM_URL ?? 'http://127.0.0.1:9'}/v1/chat/completions`
export const question = process.env.QUESTION ?? 'Which is the highest mountain?'
const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-none' }
const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: question }] })

const socketUrl = process.env.SOCKET_URL ?? 'ws://127.0.0.1:49151'
const event = JSON.stringify({ type: 'response.create', response: { instructions: question } })

/** The same as `by-sdk.ts`, without an SDK. */
export async function answerByFetch(): Promise<string> {
  try {
    const answered = await fetch(url, { method: 'POST', headers, body })
    return parse(await answered.text()).choices[0].message.content
  } catch {
    return 'Please try again later.'
  }
}

/** The same over `node:http`. */
export async function answerByHttp(): Promise<string> {
  try {
    const answered = await new Promise<string>((resolve, reject) => {
      request(url, { method: 'POST', headers }, (response) => text(response).then(resolve, reject))
        .on('error', reject)
        .end(body)
    })
    return parse(answered).choices[0].message.content
  } catch {
    return 'Please try again later.'
  }
}

/** The same by a child process. */
export async function answerInChild(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', ASK, url, body])
    return parse(stdout).choices[0].message.content
  } catch {
    return 'Please try again later.'
  }
}

const ASK = `
const [url, body] = process.argv.slice(1)
fetch(url, { method: 'POST', body }).then(async (answer) => console.log(await answer.text()))
`

/** The same over a WebSocket. */
export async function answerBySocket(): Promise<string> {
  try {
    return await new Promise((resolve, reject) => {
      const socket = new WebSocket(`${socketUrl}/v1/realtime`)
      socket.addEventListener('error', () => reject(new Error('closed')))
      socket.addEventListener('close', () => reject(new Error('closed')))
      socket.addEventListener('open', () => socket.send(event))
      socket.addEventListener('message', ({ data }) => {
        const { delta } = parse(data)
        if (delta) resolve(delta)
        socket.close()
      })
    })
  } catch {
    return 'Please try again later.'
  }
}

/** Opens a first connection, to nobody. */
export async function openConnection(): Promise<void> {
  await new Promise((resolve) => request('http://127.0.0.1:9').on('error', resolve).end())
}
