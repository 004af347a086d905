import { HumanMessage, type BaseMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { lookUp, operation, questions, upstream } from './operation.ts'
import { picture } from './picture.ts'

const llm = new ChatOpenAI({
  apiKey: 'none',
  model: 'gpt-5',
  configuration: { baseURL: upstream('/v1') },
})
const { name, description, schema, result } = lookUp
const agent = createReactAgent({ llm, tools: [] })
const helper = createReactAgent({ llm, tools: [tool(() => result, { name, description, schema })] })

operation('chat', async () => answers(await agent.invoke(ask(questions.chat))))

operation('stream', async () => {
  const texts: unknown[] = []
  for await (const [chunk] of await agent.stream(ask(questions.stream), { streamMode: 'messages' }))
    texts.push((chunk as BaseMessage).content)
  return texts
})

operation('tool loop', async () => answers(await helper.invoke(ask(questions.tool))))

operation('image', async () => {
  const url = `data:image/png;base64,${picture}`
  const content = [
    { type: 'text', text: questions.image },
    { type: 'image_url', image_url: { url } },
  ]
  return answers(await agent.invoke({ messages: [new HumanMessage({ content })] }))
})

function ask(question: string): { messages: BaseMessage[] } {
  return { messages: [new HumanMessage(question)] }
}

/** All but the ids that the graph invents. */
function answers({ messages }: { messages: BaseMessage[] }): unknown[] {
  return messages.map(({ type, content }) => ({ type, content }))
}
