import { Mistral } from '@mistralai/mistralai'
import { collect, lookUp, operation, questions, upstream, weather } from './operation.ts'
import { picture } from './picture.ts'

const { chat, embeddings } = new Mistral({ apiKey: 'none', serverURL: upstream() })
const model = 'mistral-large'
const { name, description, schema: parameters } = lookUp
const tools = [{ type: 'function' as const, function: { name, description, parameters } }]

operation('chat', () => chat.complete({ model, messages: user(questions.chat) }))

operation('stream', async () =>
  collect(await chat.stream({ model, messages: user(questions.stream) })),
)

operation('tool call', () => chat.complete({ model, messages: user(questions.tool), tools }))

operation('tool loop', async () => {
  const question = user(questions.tool)
  const { choices } = await chat.complete({ model, messages: question, tools })
  const message = choices[0]!.message!
  const result = {
    role: 'tool' as const,
    toolCallId: message.toolCalls![0]!.id,
    content: lookUp.result,
  }
  const messages = [...question, { ...message, role: 'assistant' as const }, result]
  return chat.complete({ model, messages, tools })
})

operation('image', () => {
  const content = [
    { type: 'text' as const, text: questions.image },
    { type: 'image_url' as const, imageUrl: `data:image/png;base64,${picture}` },
  ]
  return chat.complete({ model, messages: user(content) })
})

operation('structured output', () =>
  chat.complete({
    model,
    messages: user(questions.structured),
    responseFormat: {
      type: 'json_schema',
      jsonSchema: { name: 'weather', schemaDefinition: weather },
    },
  }),
)

operation('embeddings', () =>
  embeddings.create({ model: 'mistral-embed', inputs: questions.embeddings }),
)

function user<Content>(content: Content): [{ role: 'user'; content: Content }] {
  return [{ role: 'user', content }]
}
