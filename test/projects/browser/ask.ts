declare const UPSTREAM: string
declare const WORD: string

export const upstream = `${UPSTREAM}/v1`
export const word = WORD

export function question(content: string, stream = false): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: 'Bearer sk-of-a-page', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', stream, messages: [{ role: 'user', content }] }),
  }
}

export async function ask(content: string, baseUrl: string = upstream): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, question(content))
  return (await response.json()).choices[0].message.content
}
