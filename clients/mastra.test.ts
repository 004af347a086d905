import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { collect, lookUp, operation, questions, upstream } from './operation.ts'
import { picture } from './picture.ts'

const url = upstream('/v1') ?? 'https://api.openai.com/v1'
const model = { id: 'openai/gpt-5', url, apiKey: 'none' } as const
const { name, description, result } = lookUp
const common = { id: 'helper', name: 'Helper', instructions: 'Help.', model }
const agent = new Agent(common)
const found = createTool({
  id: name,
  description,
  inputSchema: z.object({ order: z.number() }),
  execute: async () => ({ result }),
})
const helper = new Agent({ ...common, tools: { [name]: found } })

operation('chat', async () => (await agent.generate(questions.chat)).text)

operation('stream', async () => collect((await agent.stream(questions.stream)).textStream))

operation('tool loop', async () => (await helper.generate(questions.tool)).text)

operation('image', async () => {
  const content = [
    { type: 'text' as const, text: questions.image },
    { type: 'image' as const, image: `data:image/png;base64,${picture}`, mimeType: 'image/png' },
  ]
  return (await agent.generate([{ role: 'user', content }])).text
})

operation('structured output', async () => {
  const schema = z.object({ city: z.string(), degrees: z.number() })
  return (await agent.generate(questions.structured, { structuredOutput: { schema } })).object
})
