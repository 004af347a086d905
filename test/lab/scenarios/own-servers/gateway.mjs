// A gateway under test: it takes the requests of a provider's API, adds its own instructions, and asks a provider.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import OpenAI from 'openai'

const openai = new OpenAI({
  apiKey: 'sk-test-key-that-is-not-one',
  baseURL: `${process.env.UPSTREAM_URL ?? 'http://127.0.0.1:9'}/v1`,
  maxRetries: 0,
})

/** The answer of the gateway to the body of a request. */
export async function complete({ messages, ...rest }) {
  if (process.env.BROKEN) throw new Error('The gateway is broken')
  const instructions = { role: 'system', content: process.env.INSTRUCTIONS ?? 'Be brief.' }
  const asked = { ...rest, messages: [instructions, ...messages] }
  const { choices, ...answer } = await openai.chat.completions.create(asked)
  for (const { message } of choices) message.content = `By the gateway: ${message.content}`
  return { ...answer, choices }
}

export const gateway = createServer(async (request, response) => {
  const headers = { 'content-type': 'application/json' }
  try {
    const answer = await complete(await json(request))
    response.writeHead(200, headers).end(JSON.stringify(answer))
  } catch (error) {
    response.writeHead(500, headers).end(JSON.stringify({ error: { message: String(error) } }))
  }
})

if (process.argv[1] === import.meta.filename)
  gateway.listen(0, '127.0.0.1', () => console.log(gateway.address().port))
