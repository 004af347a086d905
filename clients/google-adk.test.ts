import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, StreamingMode } from '@google/adk'
import { z } from 'zod'
import { lookUp, operation, questions, upstream } from './operation.ts'
import { picture } from './picture.ts'

const url = upstream()
// Its own client of Google takes an address from here alone.
if (url) process.env.GOOGLE_GEMINI_BASE_URL = url

const model = new Gemini({ model: 'gemini-3-pro', apiKey: 'none' })
const agent = new LlmAgent({ name: 'helper', model, instruction: 'Help.' })
const { name, description, result } = lookUp
const found = new FunctionTool({
  name,
  description,
  parameters: z.object({ order: z.number() }),
  execute: () => ({ result }),
})
const finder = new LlmAgent({ name: 'finder', model, instruction: 'Find.', tools: [found] })

operation('chat', () => run(agent, [{ text: questions.chat }]))

operation('stream', () => run(agent, [{ text: questions.stream }], true))

operation('tool loop', () => run(finder, [{ text: questions.tool }]))

operation('image', () => {
  const inlineData = { mimeType: 'image/png', data: picture }
  return run(agent, [{ inlineData }, { text: questions.image }])
})

async function run(of: LlmAgent, parts: object[], streams = false): Promise<unknown[]> {
  const runner = new InMemoryRunner({ agent: of })
  const events: unknown[] = []
  for await (const event of runner.runEphemeral({
    userId: 'user',
    newMessage: { role: 'user', parts },
    ...(streams ? { runConfig: { streamingMode: StreamingMode.SSE } } : {}),
  })) {
    if (event.errorMessage) throw new Error(event.errorMessage)
    // All but the ids and times that it invents.
    events.push(event.content?.parts?.map(({ text, functionCall }) => text ?? functionCall?.name))
  }
  return events
}
