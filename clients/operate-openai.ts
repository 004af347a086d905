import type OpenAI from 'openai'
import { collect, lookUp, operation, questions, weather } from './operation.ts'
import { picture } from './picture.ts'

/** The operations of the OpenAI client and its relatives. */
export function operateOpenAi({ chat, embeddings }: OpenAI): void {
  const model = 'gpt-5'
  const look_up = {
    name: lookUp.name,
    description: lookUp.description,
    parameters: lookUp.schema,
  }
  const user = (content: OpenAI.ChatCompletionUserMessageParam['content']) => [
    { role: 'user' as const, content },
  ]

  operation('chat', () => chat.completions.create({ model, messages: user(questions.chat) }))

  operation('stream', async () => {
    const messages = user(questions.stream)
    return collect(await chat.completions.create({ model, messages, stream: true }))
  })

  operation('tool call', () =>
    chat.completions.create({
      model,
      messages: user(questions.tool),
      tools: [{ type: 'function', function: look_up }],
    }),
  )

  operation('tool loop', async () => {
    const runner = chat.completions.runTools({
      model,
      messages: user(questions.tool),
      tools: [
        {
          type: 'function',
          function: { ...look_up, parse: JSON.parse, function: () => lookUp.result },
        },
      ],
    })
    await runner.done()
    return runner.messages
  })

  operation('image', () => {
    const url = `data:image/png;base64,${picture}`
    const content = [
      { type: 'text' as const, text: questions.image },
      { type: 'image_url' as const, image_url: { url } },
    ]
    return chat.completions.create({ model, messages: user(content) })
  })

  operation('structured output', async () => {
    const completion = await chat.completions.parse({
      model,
      messages: user(questions.structured),
      response_format: { type: 'json_schema', json_schema: { name: 'weather', schema: weather } },
    })
    return completion.choices[0]!.message
  })

  operation('embeddings', () =>
    embeddings.create({ model: 'text-embedding-3-small', input: questions.embeddings }),
  )
}
