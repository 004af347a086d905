const { ODD_URL } = process.env

export const address = `${ODD_URL}/v1/chat/completions`

export function requestOf(content: string): string {
  return JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] })
}

export function ask(content: string, options: RequestInit = {}): Promise<Response> {
  return fetch(address, { method: 'POST', body: requestOf(content), ...options })
}
