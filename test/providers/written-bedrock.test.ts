import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { expect, test } from 'vitest'
import type { Completion } from '../../src/prompt/completion.ts'
import { fetchOf, PICNIC } from './written-for.ts'

const REFUSED: Completion = { text: '', toolCalls: [], finishReasons: [], error: 'Too fast.' }
const completion = { ...PICNIC, finishReasons: ['tool_use'] }
const modelId = 'us.amazon.nova-lite-v1:0'
const messages = [{ role: 'user' as const, content: [{ text: 'Is it dry?' }] }]

const USES = [
  { toolUseId: 'call_1', name: 'weather', input: { city: 'Ulm', days: [1, 2] } },
  { toolUseId: 'call_2', name: 'now', input: {} },
]

const USAGE = { inputTokens: 20, outputTokens: 40, totalTokens: 160, cacheReadInputTokens: 100 }

/** A request of the client, as far as it is needed to send it. */
interface Sent extends Pick<RequestInit, 'method' | 'body'> {
  protocol: string
  hostname: string
  path: string
  headers: Record<string, string>
}

function clientOf(answer: Completion): BedrockRuntimeClient {
  const fetch = fetchOf(answer)
  return new BedrockRuntimeClient({
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    requestHandler: {
      async handle({ protocol, hostname, path, method, headers, body }: Sent) {
        const url = `${protocol}//${hostname}${path}`
        const response = await fetch(url, { method, headers, body })
        const { status: statusCode, headers: told } = response
        return {
          response: { statusCode, headers: Object.fromEntries(told), body: response.body },
        }
      },
    },
  })
}

test('Converse answers at once', async () => {
  const answer = await clientOf(completion).send(new ConverseCommand({ modelId, messages }))
  expect(answer).toMatchObject({
    stopReason: 'tool_use',
    usage: USAGE,
    output: {
      message: {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: PICNIC.reasoning } } },
          { text: PICNIC.text },
          ...USES.map((toolUse) => ({ toolUse })),
        ],
      },
    },
  })
})

test('Converse answers in a stream', async () => {
  const command = new ConverseStreamCommand({ modelId, messages })
  const { stream } = await clientOf(completion).send(command)
  const texts: string[] = []
  const inputs: string[] = []
  const names: (string | undefined)[] = []
  const ends: unknown[] = []
  for await (const { contentBlockStart, contentBlockDelta, messageStop, metadata } of stream!) {
    if (contentBlockStart) names.push(contentBlockStart.start?.toolUse?.name)
    const { text, toolUse } = contentBlockDelta?.delta ?? {}
    if (text !== undefined) texts.push(text)
    if (toolUse) inputs.push(toolUse.input!)
    if (messageStop) ends.push(messageStop.stopReason)
    if (metadata) ends.push(metadata.usage)
  }
  expect(texts.length).toBeGreaterThan(3)
  expect(texts.join('')).toBe(PICNIC.text)
  expect(names).toEqual(['weather', 'now'])
  expect(inputs.map((input) => JSON.parse(input) as unknown)).toEqual(
    USES.map(({ input }) => input),
  )
  expect(ends).toEqual(['tool_use', USAGE])
})

test('a refusal keeps the name of its kind', async () => {
  const refused = clientOf(REFUSED)
  const commands = [
    new ConverseCommand({ modelId, messages }),
    new ConverseStreamCommand({ modelId, messages }),
  ]
  for (const command of commands) {
    await expect(refused.send(command as ConverseCommand)).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Too fast.',
    })
  }
})

test('a stream breaks off with an exception', async () => {
  const broken = clientOf({ ...completion, error: 'Down.', incomplete: true })
  const { stream } = await broken.send(new ConverseStreamCommand({ modelId, messages }))
  const read = async (): Promise<void> => {
    for await (const event of stream!) expect(event.modelStreamErrorException).toBeUndefined()
  }
  await expect(read()).rejects.toMatchObject({
    name: 'ModelStreamErrorException',
    message: 'Down.',
  })
})

test.each([
  [
    'anthropic.claude-sonnet-4-5',
    { anthropic_version: 'x', messages: [{ role: 'user', content: 'Dry?' }] },
  ],
  ['us.amazon.nova-lite-v1:0', { messages }],
  ['mistral.pixtral-large', { messages: [{ role: 'user', content: 'Dry?' }] }],
  ['meta.llama3-8b', { prompt: 'Dry?' }],
  ['amazon.titan-text-express-v1', { inputText: 'Dry?' }],
  ['cohere.command-text-v14', { prompt: 'Dry?' }],
  ['mistral.mistral-7b', { prompt: 'Dry?' }],
])('%s is invoked and answers in the format of its vendor', async (id, body) => {
  const input = { modelId: id, body: JSON.stringify(body) }
  const client = clientOf(completion)
  const whole = await client.send(new InvokeModelCommand(input))
  const { body: stream } = await client.send(new InvokeModelWithResponseStreamCommand(input))
  const chunks: string[] = []
  for await (const { chunk } of stream!) chunks.push(Buffer.from(chunk!.bytes!).toString())
  expect(stringsIn(JSON.parse(whole.body.transformToString()))).toContain(PICNIC.text)
  expect(chunks.length).toBeGreaterThan(3)
  const told = chunks.flatMap((chunk) => stringsIn(JSON.parse(chunk)))
  expect(told.join('')).toContain('Bring')
})

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
