import { request as requestByHttp } from 'node:http'
import { text } from 'node:stream/consumers'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { keep } from '../keep.ts'

const { ODD_URL } = process.env
const address = `${ODD_URL}/v1/chat/completions`
const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${ODD_URL}/v1`, maxRetries: 0 })

test.each([301, 302, 303, 307, 308])('a redirect that is followed: %d', async (status) => {
  const response = await ask(`redirect ${status}`)
  const { pathname, search } = new URL(response.url)
  // The key is not stored, so that only the recording sees it.
  const place = pathname + search.replace('&key=hunter2', '')
  keep(`followed-${status}`, [response.status, response.redirected, place, await response.text()])
})

test('a redirect that is not followed', async () => {
  const response = await ask('redirect 307', { redirect: 'manual' })
  const location = response.headers.get('location')?.replace('&key=hunter2', '')
  keep('manual', [response.status, location, await response.text()])
})

test('a redirect under node:http', async () => {
  const response = await new Promise<any>((resolve, reject) => {
    requestByHttp(address, { method: 'POST' }, resolve)
      .on('error', reject)
      .end(requestOf('redirect 302'))
  })
  const location = response.headers.location.replace('&key=hunter2', '')
  keep('http', [response.statusCode, location, await text(response)])
})

test('a redirect that is forbidden', async () => {
  keep('forbidden', await ask('redirect 307', { redirect: 'error' }).catch(causeOf))
})

test.each(['short-length', 'long-length'])('a content-length that lies: %s', async (kind) => {
  const pieces: string[] = []
  let problem: unknown
  try {
    const response = await ask(kind)
    for await (const chunk of response.body!) pieces.push(Buffer.from(chunk).toString())
  } catch (error) {
    problem = String(error)
  }
  keep(kind, [pieces.join(''), problem])
})

test.each(['short-length', 'long-length', 'broken', 'empty', 'nothing'])(
  'under an SDK: %s',
  async (content) => {
    const answer = openai.chat.completions.create(messages(`${content} sdk`))
    keep(`sdk-${content}`, await answer.catch((error: Error) => [error.name, error.message]))
  },
)

test.each(['bad-event', 'new-event'])('a stream under an SDK: %s', async (content) => {
  const pieces: unknown[] = []
  let problem: unknown
  try {
    const stream = await openai.chat.completions.create({ ...messages(content), stream: true })
    for await (const { choices } of stream) pieces.push(choices?.[0]?.delta.content)
  } catch (error) {
    problem = String(error)
  }
  keep(content, [pieces, problem])
})

test('a redirect under an SDK', async () => {
  const answer = await openai.chat.completions.create(messages('redirect 308'))
  expect(answer.choices[0]!.message.content).toBe('Odd: redirect 308')
})

function messages(content: string) {
  return { model: 'gpt-5', messages: [{ role: 'user' as const, content }] }
}

function requestOf(content: string): string {
  return JSON.stringify(messages(content))
}

function ask(content: string, options: RequestInit = {}): Promise<Response> {
  return fetch(address, { method: 'POST', body: requestOf(content), ...options })
}

function causeOf({ message, cause }: Error): string[] {
  return [message, String(cause)]
}
