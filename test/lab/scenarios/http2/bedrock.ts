import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
} from '@aws-sdk/client-bedrock-runtime'

const { UPSTREAM_URL } = process.env

const client = new BedrockRuntimeClient({
  region: 'us-east-1',
  credentials: { accessKeyId: 'no-such-key', secretAccessKey: 'no-such-secret' },
  ...(UPSTREAM_URL ? { endpoint: UPSTREAM_URL } : {}),
})

const model = 'anthropic.claude-3-haiku-20240307-v1:0'

export async function converse(question: string): Promise<string> {
  const { output } = await client.send(new ConverseCommand(ask(question)))
  return output!.message!.content![0]!.text!
}

export async function converseInPieces(question: string): Promise<string[]> {
  const { stream } = await client.send(new ConverseStreamCommand(ask(question)))
  const pieces = []
  for await (const event of stream!) {
    const text = event.contentBlockDelta?.delta?.text
    if (text) pieces.push(text)
  }
  return pieces
}

export async function invoke(question: string): Promise<string> {
  const messages = [{ role: 'user', content: question }]
  const body = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages }
  const answer = await client.send(
    new InvokeModelCommand({ modelId: model, body: JSON.stringify(body) }),
  )
  return JSON.parse(answer.body.transformToString()).content[0].text
}

function ask(question: string) {
  return { modelId: model, messages: [{ role: 'user' as const, content: [{ text: question }] }] }
}
