import { request, type ClientRequest } from 'node:http'

export const url = `${process.env.UPSTREAM_URL}/v1/chat/completions`
export const headers = { 'content-type': 'application/json' }

/** What is asked; `WORD` changes it. */
export function questionOf(question: string): string {
  return process.env.WORD ? `${question}, ${process.env.WORD}` : question
}

export function bodyOf(question: string, more: object = {}): string {
  const messages = [{ role: 'user', content: questionOf(question) }]
  return JSON.stringify({ model: 'gpt-5', messages, ...more })
}

/** Asks by fetch; the answer is awaited by nobody. */
export function ask(question: string): void {
  fetch(url, { method: 'POST', headers, body: bodyOf(question) }).catch(() => {})
}

/** Asks by fetch, and waits for the answer. */
export async function answerTo(question: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers, body: bodyOf(question) })
  return response.text()
}

/** Begins a request of `node:http`, whose body is to follow. */
export function begin(): ClientRequest {
  const client = request(url, { method: 'POST', headers })
  client.on('error', () => {})
  client.on('response', (response) => response.resume())
  return client
}

/** Ends a request with its body. */
export function end(client: ClientRequest, question: string): void {
  client.end(bodyOf(question))
}
