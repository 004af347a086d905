import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, question } from './src/question'

const get = async (path: string): Promise<string> => {
  const response = await exports.default.fetch(`http://worker.example${path}`)
  return response.text()
}

let known: string
beforeAll(async () => {
  known = await ask('In a hook', env)
})

test('asks by fetch', async () => {
  expect(known).toBe('You said: In a hook')
  expect(await get(`/?q=${env.WORD} Ada`)).toBe(`You said: ${env.WORD} Ada`)
})

test('swallows that there is no answer', async () => {
  await get(`/?q=${env.WORD} Bob`)
})

test('calls a function of the Worker', async () => {
  expect(await ask('Directly', env)).toBe('You said: Directly')
})

test('streams by the SDK', async () => {
  expect((await get('/sdk?q=Stream')).replaceAll('|', '')).toBe('You said: Stream')
})

test('keeps the events of a stream apart', async () => {
  const { body } = await fetch(`${env.OPENAI_BASE_URL}/chat/completions`, question('Go', env, true))
  const chunks: string[] = []
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) chunks.push(chunk)
  const events = chunks.filter((chunk) => chunk !== '')
  for (const event of events) expect(event).toMatch(/^data: /)
  // The provider sends all at once.
  if (!env.RECORD) expect(events.length).toBeGreaterThan(1)
})

test('passes a stream on', async () => {
  expect(await get('/stream?q=Through')).toContain('data: [DONE]')
})

test('asks in a Durable Object', async () => {
  expect(await get('/chat?q=One')).toBe('You said: One')
  expect(await get('/chat?q=Two')).toBe('You said: One, Two')
})

test('asks in another Worker', async () => {
  expect(await get('/beside?q=Beside')).toBe('You said: Beside')
})

test('asks after the answer', async () => {
  expect(await get('/later?q=Later')).toBe('Later')
})

test('talks over a socket', async () => {
  const socket = new WebSocket(
    `${env.OPENAI_BASE_URL.replace('http', 'ws')}/realtime?model=gpt-realtime`,
  )
  const done = new Promise((resolve) => {
    socket.addEventListener(
      'message',
      ({ data }) => data.includes('response.done') && resolve(data),
    )
    socket.addEventListener('close', () => resolve('closed'))
    socket.addEventListener('error', () => resolve('error'))
  })
  socket.addEventListener('open', () => {
    const content = [{ type: 'input_text', text: 'Over a socket' }]
    const item = { type: 'message', role: 'user', content }
    socket.send(JSON.stringify({ type: 'conversation.item.create', item }))
    socket.send(JSON.stringify({ type: 'response.create' }))
  })
  expect(await done).toContain('You said: Over a socket')
  socket.close()
})

test.fails('is not done yet', async () => {
  expect(await get(`/?q=${env.WORD} later`)).toBe('Done')
})

test('asks by node:http', async () => {
  const { request } = await import('node:http')
  const text = await new Promise<string>((resolve, reject) => {
    const { body, ...init } = question('By node:http', env) as any
    const asked = request(`${env.OPENAI_BASE_URL}/chat/completions`, init, (answer) => {
      let said = ''
      answer.on('data', (chunk) => (said += chunk))
      answer.on('end', () => resolve(said))
    })
    asked.on('error', reject)
    asked.end(body)
  })
  expect(text).toContain('You said: By node:http')
})

describe.concurrent('at the same time', () => {
  for (const name of ['Cleo', 'Dan', 'Eve'])
    test(`greets ${name}`, async () => {
      expect(await ask(name, env)).toBe(`You said: ${name}`)
      expect(await ask(`${name} again`, env)).toBe(`You said: ${name} again`)
    })
})
