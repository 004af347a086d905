import { Ollama, type Message } from 'ollama'
import { collect, lookUp, operation, questions, upstream, weather } from './operation.ts'
import { picture } from './picture.ts'

const ollama = new Ollama({ host: upstream() })
const model = 'llama3.3'
const { name, description, schema: parameters } = lookUp
const tools = [{ type: 'function' as const, function: { name, description, parameters } }]

operation('chat', () => ollama.chat({ model, messages: user(questions.chat) }))

operation('stream', async () =>
  collect(await ollama.chat({ model, messages: user(questions.stream), stream: true })),
)

operation('tool call', () => ollama.chat({ model, messages: user(questions.tool), tools }))

operation('tool loop', async () => {
  const messages = user(questions.tool)
  const { message } = await ollama.chat({ model, messages, tools })
  messages.push(message, { role: 'tool', tool_name: name, content: lookUp.result })
  return ollama.chat({ model, messages, tools })
})

operation('image', () => {
  const [message] = user(questions.image)
  return ollama.chat({ model, messages: [{ ...message!, images: [picture] }] })
})

operation('structured output', () =>
  ollama.chat({ model, messages: user(questions.structured), format: weather }),
)

operation('embeddings', () =>
  ollama.embed({ model: 'nomic-embed-text', input: questions.embeddings }),
)

function user(content: string): Message[] {
  return [{ role: 'user', content }]
}
