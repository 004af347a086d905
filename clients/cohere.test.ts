import { CohereClientV2 } from 'cohere-ai'
import { collect, lookUp, operation, questions, upstream, weather } from './operation.ts'
import { picture } from './picture.ts'

const cohere = new CohereClientV2({ token: 'none', baseUrl: upstream() })
const model = 'command-a'
const { name, description, schema: parameters } = lookUp
const tools = [{ type: 'function' as const, function: { name, description, parameters } }]

operation('chat', () => cohere.chat({ model, messages: user(questions.chat) }))

operation('stream', async () =>
  collect(await cohere.chatStream({ model, messages: user(questions.stream) })),
)

operation('tool call', () => cohere.chat({ model, messages: user(questions.tool), tools }))

operation('tool loop', async () => {
  const question = user(questions.tool)
  const { message } = await cohere.chat({ model, messages: question, tools })
  const { toolCalls, toolPlan } = message
  const result = {
    role: 'tool' as const,
    toolCallId: toolCalls![0]!.id!,
    content: lookUp.result,
  }
  const messages = [...question, { role: 'assistant' as const, toolCalls, toolPlan }, result]
  return cohere.chat({ model, messages, tools })
})

operation('image', () => {
  const url = `data:image/png;base64,${picture}`
  const content = [
    { type: 'text' as const, text: questions.image },
    { type: 'image_url' as const, imageUrl: { url } },
  ]
  return cohere.chat({ model: 'command-a-vision', messages: user(content) })
})

operation('structured output', () =>
  cohere.chat({
    model,
    messages: user(questions.structured),
    responseFormat: { type: 'json_object', jsonSchema: weather },
  }),
)

operation('embeddings', () =>
  cohere.embed({
    model: 'embed-v4.0',
    texts: questions.embeddings,
    inputType: 'search_document',
    embeddingTypes: ['float'],
  }),
)

function user<Content>(content: Content): [{ role: 'user'; content: Content }] {
  return [{ role: 'user', content }]
}
