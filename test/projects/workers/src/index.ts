import { DurableObject } from 'cloudflare:workers'
import OpenAI from 'openai'
import { ask, question, type Env } from './question'

/** Remembers what was asked. */
export class Chat extends DurableObject<Env> {
  async ask(content: string): Promise<string> {
    const asked = ((await this.ctx.storage.get<string[]>('asked')) ?? []).concat(content)
    await this.ctx.storage.put('asked', asked)
    return ask(asked.join(', '), this.env)
  }
}

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const content = searchParams.get('q') ?? ''
    if (pathname === '/stream')
      return fetch(`${env.OPENAI_BASE_URL}/chat/completions`, question(content, env, true))
    if (pathname === '/sdk') return new Response(await askBySdk(content, env))
    if (pathname === '/chat')
      return new Response(await env.CHATS.get(env.CHATS.idFromName('one')).ask(content))
    if (pathname === '/beside') return env.BESIDE.fetch(request.url)
    if (pathname === '/later') {
      ctx.waitUntil(later(content, env))
      return new Response('Later')
    }
    return new Response(await ask(content, env))
  },
}

async function later(content: string, env: Env): Promise<void> {
  await scheduler.wait(50)
  await ask(content, env)
}

/** The chunks of a streamed answer, by the SDK. */
async function askBySdk(content: string, env: Env): Promise<string> {
  const client = new OpenAI({ apiKey: env.OPENAI_API_KEY, baseURL: env.OPENAI_BASE_URL })
  const stream = await client.chat.completions.create({
    model: 'gpt-5',
    stream: true,
    messages: [{ role: 'user', content }],
  })
  const chunks: string[] = []
  for await (const { choices } of stream) chunks.push(choices[0]?.delta.content ?? '')
  return chunks.filter((chunk) => chunk !== '').join('|')
}
