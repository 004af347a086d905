import Anthropic from '@anthropic-ai/sdk'
import { collect, lookUp, operation, questions, upstream, weather } from './operation.ts'
import { picture } from './picture.ts'

const { messages } = new Anthropic({ apiKey: 'none', baseURL: upstream() }).beta
const model = { model: 'claude-sonnet-5', max_tokens: 100 }
const tool = { name: lookUp.name, description: lookUp.description, input_schema: lookUp.schema }

const user = (content: string | Anthropic.Beta.BetaContentBlockParam[]) => [
  { role: 'user' as const, content },
]

operation('chat', () => messages.create({ ...model, messages: user(questions.chat) }))

operation('stream', () => collect(messages.stream({ ...model, messages: user(questions.stream) })))

operation('tool call', () =>
  messages.create({ ...model, messages: user(questions.tool), tools: [tool] }),
)

operation('tool loop', async () => {
  const runner = messages.toolRunner({
    ...model,
    messages: user(questions.tool),
    tools: [{ ...tool, type: 'custom', parse: (input) => input, run: () => lookUp.result }],
  })
  return collect(runner)
})

operation('image', () => {
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: picture }
  const content = [
    { type: 'image' as const, source },
    { type: 'text' as const, text: questions.image },
  ]
  return messages.create({ ...model, messages: user(content) })
})

operation('structured output', () =>
  messages.create({
    ...model,
    messages: user(questions.structured),
    output_config: { format: { type: 'json_schema', schema: weather } },
  }),
)
