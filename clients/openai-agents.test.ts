import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import OpenAI from 'openai'
import { collect, lookUp, operation, questions, upstream, weather } from './operation.ts'
import { picture } from './picture.ts'

const openAIClient = new OpenAI({ apiKey: 'sk-none', baseURL: upstream('/v1') })
const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient }) })
const agent = new Agent({ name: 'Helper', model: 'gpt-5' })
const { name, description, schema, result } = lookUp
const options = { name, description, strict: false as const, execute: () => result }
const parameters = { ...schema, additionalProperties: true as const }

operation('chat', async () => (await runner.run(agent, questions.chat)).output)

operation('stream', async () => {
  const run = await runner.run(agent, questions.stream, { stream: true })
  return collect(run.toTextStream())
})

operation('tool call', async () => {
  const toolUseBehavior = 'stop_on_first_tool'
  const helper = agent.clone({ tools: [tool({ ...options, parameters })], toolUseBehavior })
  return (await runner.run(helper, questions.tool)).output
})

operation('tool loop', async () => {
  const helper = agent.clone({ tools: [tool({ ...options, parameters })] })
  return (await runner.run(helper, questions.tool)).output
})

operation('image', async () => {
  const content = [
    { type: 'input_text' as const, text: questions.image },
    { type: 'input_image' as const, image: `data:image/png;base64,${picture}` },
  ]
  return (await runner.run(agent, [{ role: 'user', content }])).output
})

operation('structured output', async () => {
  const outputType = {
    type: 'json_schema',
    name: 'weather',
    strict: true,
    schema: weather,
  } as const
  const helper = new Agent({ name: 'Helper', model: 'gpt-5', outputType })
  return (await runner.run(helper, questions.structured)).finalOutput
})
