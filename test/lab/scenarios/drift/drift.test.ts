import OpenAI from 'openai'
import { test } from 'vitest'

type Request = OpenAI.ChatCompletionCreateParamsNonStreaming

const baseURL = `${process.env.ODD_URL}/v1`
const openai = new OpenAI({ apiKey: 'sk-none', baseURL })

/** How the request is sent. */
interface Sending {
  baseURL: string
  headers: Record<string, string>
}

function baseRequest(): Request {
  return {
    model: 'gpt-5',
    temperature: 0,
    messages: [
      { role: 'system', content: 'You are a kind assistant of a shop.' },
      { role: 'user', content: 'I have ordered a red bicycle.' },
      { role: 'assistant', content: 'What would you like to know about it?' },
      { role: 'user', content: 'Please tell me where my order is right now' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'look_up_order',
          description: 'Looks up an order by its number.',
          parameters: {
            type: 'object',
            properties: { number: { type: 'integer' }, detail: { type: 'string' } },
          },
        },
      },
    ],
  }
}

function editMessage(index: number, from: string, to: string) {
  return (request: Request): void => {
    const message = request.messages[index]!
    message.content = (message.content as string).replace(from, to)
  }
}

const edits: Record<string, (request: Request, sending: Sending) => void> = {
  'nothing at all': () => {},
  'the model': (request) => void (request.model = 'gpt-5-mini'),
  'the temperature': (request) => void (request.temperature = 0.2),
  'the system prompt': editMessage(0, 'kind', 'formal'),
  'the history': editMessage(1, 'bicycle', 'tricycle'),
  'the first word of the user': editMessage(3, 'Please', 'Kindly'),
  'the last word of the user': editMessage(3, 'now', 'today'),
  'the description of a tool': (request) => {
    const [tool] = request.tools!
    if (tool!.type === 'function') tool!.function.description = 'Finds an order by its number.'
  },
  'the order of arguments': (request) => {
    const [tool] = request.tools!
    if (tool!.type !== 'function') return
    const { properties } = tool!.function.parameters as { properties: object }
    const reversed = Object.fromEntries(Object.entries(properties).toReversed())
    tool!.function.parameters = { type: 'object', properties: reversed }
  },
  'the route of a gateway': (_, { headers }) => void (headers['x-portkey-provider'] = 'groq'),
  'the format of the answer': (_, { headers }) => void (headers.accept = 'audio/mpeg'),
  'the host of a model': (_, sending) => {
    sending.baseURL = baseURL.replace(/\/\/[^:/]+/, '//qwen.localhost')
  },
  'the order of two messages': ({ messages }) => {
    messages.splice(1, 2, messages[2]!, messages[1]!)
  },
}

test.each(Object.entries(edits))('%s', async (_, edit) => {
  const request = baseRequest()
  const sending: Sending = { baseURL, headers: { 'x-portkey-provider': 'openai' } }
  if (process.env.CHANGED === '1') edit(request, sending)
  const { headers } = sending
  await openai
    .withOptions({ baseURL: sending.baseURL })
    .chat.completions.create(request, { headers })
})
