import { mkdirSync, writeFileSync } from 'node:fs'

const { ODD_URL, RESULTS } = process.env

export const address = `${ODD_URL}/v1/chat/completions`

export function requestOf(content: string): string {
  return JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] })
}

export function ask(content: string, options: RequestInit = {}): Promise<Response> {
  return fetch(address, { method: 'POST', body: requestOf(content), ...options })
}

/** Keeps what the application got, for a comparison of two runs. */
export function keep(name: string, result: unknown): void {
  mkdirSync(RESULTS!, { recursive: true })
  writeFileSync(`${RESULTS}/${name}.json`, JSON.stringify(result, null, 2))
}
