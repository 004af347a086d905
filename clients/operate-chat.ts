import type Groq from 'groq-sdk'
import type Together from 'together-ai'
import { collect, lookUp, operation, questions, weather } from './operation.ts'
import { picture } from './picture.ts'

const model = 'openai/gpt-oss-120b'
const { name, description, schema: parameters } = lookUp
const tools = [{ type: 'function' as const, function: { name, description, parameters } }]

/** The operations of clients that resemble OpenAI's, without what it does for convenience. */
export function operateChat(client: Groq | Together): void {
  const { chat, embeddings } = client as Groq

  operation('chat', () => chat.completions.create({ model, messages: user(questions.chat) }))

  operation('stream', async () => {
    const messages = user(questions.stream)
    return collect(await chat.completions.create({ model, messages, stream: true }))
  })

  operation('tool call', () =>
    chat.completions.create({ model, messages: user(questions.tool), tools }),
  )

  operation('tool loop', async () => {
    const question = user(questions.tool)
    const { choices } = await chat.completions.create({ model, messages: question, tools })
    const { message } = choices[0]!
    const id = message.tool_calls![0]!.id
    const result = { role: 'tool' as const, tool_call_id: id, content: lookUp.result }
    return chat.completions.create({ model, messages: [...question, message, result], tools })
  })

  operation('image', () => {
    const url = `data:image/png;base64,${picture}`
    const content = [
      { type: 'text' as const, text: questions.image },
      { type: 'image_url' as const, image_url: { url } },
    ]
    return chat.completions.create({ model, messages: user(content) })
  })

  operation('structured output', () =>
    chat.completions.create({
      model,
      messages: user(questions.structured),
      response_format: { type: 'json_schema', json_schema: { name: 'weather', schema: weather } },
    }),
  )

  operation('embeddings', () =>
    embeddings.create({ model: 'nomic-embed-text-v1_5', input: questions.embeddings }),
  )
}

function user<Content>(content: Content): [{ role: 'user'; content: Content }] {
  return [{ role: 'user', content }]
}
