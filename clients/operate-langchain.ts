import type { Embeddings } from '@langchain/core/embeddings'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { HumanMessage, ToolMessage, type AIMessageChunk } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { collect, lookUp, operation, questions, weather } from './operation.ts'
import { picture } from './picture.ts'

const { name, description, schema, result } = lookUp

/** The operations of LangChain, which are the same for every provider. */
export function operateLangchain(model: BaseChatModel, embeddings?: Embeddings): void {
  const withTool = model.bindTools!([tool(() => result, { name, description, schema })])

  operation('chat', async () => answer(await model.invoke(questions.chat)))

  operation('stream', async () => (await collect(await model.stream(questions.stream))).map(answer))

  operation('tool call', async () => answer(await withTool.invoke(questions.tool)))

  operation('tool loop', async () => {
    const question = new HumanMessage(questions.tool)
    const first = await withTool.invoke([question])
    const tool_call_id = first.tool_calls![0]!.id!
    const found = new ToolMessage({ tool_call_id, name, content: result })
    return [first, await withTool.invoke([question, first, found])].map(answer)
  })

  operation('image', async () => {
    const url = `data:image/png;base64,${picture}`
    const content = [
      { type: 'text', text: questions.image },
      { type: 'image_url', image_url: { url } },
    ]
    return answer(await model.invoke([new HumanMessage({ content })]))
  })

  operation('structured output', () =>
    model.withStructuredOutput({ title: 'weather', ...weather }).invoke(questions.structured),
  )

  if (embeddings) {
    operation('embeddings', () => embeddings.embedDocuments(questions.embeddings))
  }
}

/** All but the ids that LangChain invents and what it tells of the connection. */
function answer({ content, tool_calls, usage_metadata }: AIMessageChunk): object {
  const calls = tool_calls?.map(({ name, args }) => ({ name, args }))
  return { content, calls, usage_metadata }
}
