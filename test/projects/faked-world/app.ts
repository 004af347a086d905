import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { ask } from '../ask.ts'

// Kept before the tests fake them: it is this application that goes on with a fallback.
const { parse } = JSON
const url = `${process.env.UPSTREAM_URL ?? 'http://127.0.0.1:9'}/v1/chat/completions`
const question = process.env.QUESTION ?? 'Which is the highest mountain?'
const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-none' }
const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: question }] })

/** An application that answers something whatever happens. */
export async function answer(): Promise<string> {
  try {
    return await ask(question)
  } catch {
    return 'Please try again later.'
  }
}

/** The same without an SDK. */
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
