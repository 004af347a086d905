import {
  embedMany,
  generateText,
  isStepCount,
  jsonSchema,
  Output,
  streamText,
  tool,
  type EmbeddingModel,
  type LanguageModel,
} from 'ai'
import { collect, lookUp, operation as perform, questions, weather } from './operation.ts'
import { picture } from './picture.ts'

const { name, description, schema, result } = lookUp
const inputSchema = jsonSchema(schema)

/**
 * The operations of the AI SDK, which are the same for every provider.
 *
 * @param without what the provider does not have
 */
export function operateAi(
  model: LanguageModel,
  embeddingModel?: EmbeddingModel,
  without: string[] = [],
): void {
  const operation: typeof perform = (name, run) => {
    if (!without.includes(name)) perform(name, run)
  }

  operation('chat', async () => answer(await generateText({ model, prompt: questions.chat })))

  // Reading the text is what applications do, and what hides an error.
  operation('stream', () =>
    collect(streamText({ model, prompt: questions.stream, onError: () => {} }).textStream),
  )

  operation('tool call', async () => {
    const tools = { [name]: tool({ description, inputSchema }) }
    return answer(await generateText({ model, prompt: questions.tool, tools }))
  })

  operation('tool loop', async () => {
    const tools = { [name]: tool({ description, inputSchema, execute: () => result }) }
    const { text, steps } = await generateText({
      model,
      prompt: questions.tool,
      tools,
      stopWhen: isStepCount(3),
    })
    return { text, steps: steps.map(answer) }
  })

  operation('image', async () => {
    const content = [
      { type: 'text' as const, text: questions.image },
      { type: 'file' as const, data: picture, mediaType: 'image/png' },
    ]
    return answer(await generateText({ model, messages: [{ role: 'user', content }] }))
  })

  operation('structured output', async () => {
    const output = Output.object({ schema: jsonSchema(weather) })
    return (await generateText({ model, prompt: questions.structured, output })).output
  })

  if (embeddingModel) {
    operation('embeddings', async () => {
      const values = questions.embeddings
      return (await embedMany({ model: embeddingModel, values })).embeddings
    })
  }
}

interface Answer {
  text: string
  finishReason: string
  usage: object
  toolCalls: { toolName: string; input: unknown }[]
}

/** All but dates and the ids that the SDK invents. */
function answer({ text, finishReason, usage, toolCalls }: Answer): object {
  const calls = toolCalls.map(({ toolName, input }) => ({ toolName, input }))
  return { text, finishReason, usage, calls }
}
