import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { ask } from '../ask.ts'

/** An application that asks a model for each question that it gets. */
export async function startApp(): Promise<{ url: string; server: Server }> {
  const server = createServer(async (question, response) => {
    const asked = await text(question)
    try {
      response.end(await ask(asked))
    } catch (error) {
      response.writeHead(502).end(String(error))
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

let running: Promise<{ url: string }> | undefined

/** What the application answers. The first question starts it. */
export async function askLazily(question: string): Promise<string> {
  const { url } = await (running ??= startApp())
  return askAt(url, question)
}

/** What the application at an address answers. */
export async function askAt(url: string, question: string): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body: question })
  return answer.text()
}
