export interface Env {
  OPENAI_BASE_URL: string
  OPENAI_API_KEY: string
  WORD: string
  CHATS: any
  BESIDE: { fetch: typeof fetch }
  AI?: any
}

export function question(content: string, env: Env, stream = false): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${env.OPENAI_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', stream, messages: [{ role: 'user', content }] }),
  }
}

/** Asks a model, and says so where that fails. */
export async function ask(content: string, env: Env): Promise<string> {
  const response = await fetch(`${env.OPENAI_BASE_URL}/chat/completions`, question(content, env))
  const body = await response.json<any>()
  return body.choices?.[0].message.content ?? 'Sorry, no answer'
}
