// An application in a process of its own, which all tests of a file ask.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import OpenAI from 'openai'

const openai = new OpenAI({
  apiKey: 'sk-none',
  baseURL: `${process.env.UPSTREAM_URL}/v1`,
  maxRetries: 0,
})

const server = createServer(async (request, response) => {
  const content = await text(request)
  const messages = [{ role: 'user', content }]
  try {
    const answer = await openai.chat.completions.create({ model: 'gpt-5', messages })
    response.end(answer.choices[0].message.content)
  } catch (error) {
    response.writeHead(502).end(String(error))
  }
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
