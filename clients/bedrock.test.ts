import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  type ContentBlock,
  type ConverseCommandInput,
  type Message,
} from '@aws-sdk/client-bedrock-runtime'
import { collect, lookUp, operation, questions, upstream, weather } from './operation.ts'
import { picture } from './picture.ts'

const client = new BedrockRuntimeClient({
  region: 'us-east-1',
  credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  ...(upstream() ? { endpoint: upstream() } : {}),
})
const modelId = 'anthropic.claude-3-haiku-20240307-v1:0'
const { name, description, schema } = lookUp
const toolConfig = { tools: [{ toolSpec: { name, description, inputSchema: { json: schema } } }] }

operation('chat', () => converse({ messages: [user({ text: questions.chat })] }))

operation('stream', async () => {
  const messages = [user({ text: questions.stream })]
  const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages }))
  return collect(stream!)
})

operation('tool call', () => converse({ messages: [user({ text: questions.tool })], toolConfig }))

operation('tool loop', async () => {
  const question = user({ text: questions.tool })
  const { output } = await converse({ messages: [question], toolConfig })
  const message = output!.message!
  const { toolUseId } = message.content!.find(({ toolUse }) => toolUse)!.toolUse!
  const result = user({ toolResult: { toolUseId, content: [{ text: lookUp.result }] } })
  return converse({ messages: [question, message, result], toolConfig })
})

operation('image', () => {
  const source = { bytes: Buffer.from(picture, 'base64') }
  return converse({
    messages: [user({ image: { format: 'png', source } }, { text: questions.image })],
  })
})

operation('structured output', () =>
  converse({
    messages: [user({ text: questions.structured })],
    outputConfig: {
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { name: 'weather', schema: JSON.stringify(weather) } },
      },
    },
  }),
)

operation('embeddings', async () => {
  const body = JSON.stringify({ inputText: questions.embeddings[0] })
  const answer = await client.send(
    new InvokeModelCommand({ modelId: 'amazon.titan-embed-text-v2:0', body }),
  )
  return JSON.parse(answer.body.transformToString())
})

/** All but what the client tells of the connection. */
async function converse(input: Omit<ConverseCommandInput, 'modelId'>) {
  const { $metadata: _, ...answer } = await client.send(new ConverseCommand({ modelId, ...input }))
  return answer
}

function user(...content: ContentBlock[]): Message {
  return { role: 'user', content }
}
