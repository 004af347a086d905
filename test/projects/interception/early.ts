import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import OpenAI from 'openai'
import { address, bodyOf } from './ask.ts'

const { ODD_URL, APP_URL } = process.env

// All of this happens before the set-up of vitest-cassette runs.
const earlyFetch = fetch
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
export const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${ODD_URL}/v1`, fetch: earlyFetch })

// Opens sockets to the provider, and leaves them open.
if (process.env.RECORD === '1') {
  await (await fetch(`${ODD_URL}/count`)).text()
  await text(await send('GET', `${ODD_URL}/count`))
}
// In replay the provider is gone; another server keeps its sockets as well.
await (await fetch(`${APP_URL}/count`)).text()
await text(await send('GET', `${APP_URL}/count`))

export async function askByAgent(content: string): Promise<unknown> {
  return JSON.parse(await text(await send('POST', address, bodyOf(content))))
}

/** Asks the server that is there in every run, over sockets that were open before the set-up. */
export async function askApp(content: string): Promise<unknown[]> {
  const url = `${APP_URL}/v1/chat/completions`
  const response = await earlyFetch(url, { method: 'POST', body: bodyOf(content) })
  const byAgent = await text(await send('POST', url, bodyOf(`${content} by agent`)))
  return [await response.json(), JSON.parse(byAgent)]
}

function send(method: string, url: string, body?: string): Promise<NodeJS.ReadableStream> {
  return new Promise((resolve, reject) => {
    request(url, { method, agent }, resolve).on('error', reject).end(body)
  })
}
