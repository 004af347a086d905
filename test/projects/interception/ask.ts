import { expect } from 'vitest'
const { ODD_URL } = process.env

export const address = `${ODD_URL}/v1/chat/completions`

export function bodyOf(content: string): string {
  return JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] })
}

export async function ask(content: string): Promise<unknown> {
  const response = await fetch(address, { method: 'POST', body: bodyOf(content) })
  return response.json()
}

/** What the server answers to a question. */
export function answerTo(content: string): object {
  return expect.objectContaining({
    choices: [
      expect.objectContaining({ message: { role: 'assistant', content: `Odd: ${content}` } }),
    ],
  })
}
