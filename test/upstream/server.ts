// A provider to record from, as a process of its own: in the process of a test, its own requests
// would be intercepted too. aimock speaks the providers' dialects; the odd server does what it cannot.
import { flushCompileCache } from 'node:module'
import { LLMock } from '@copilotkit/aimock'
import { startFrontServer } from './front-server.ts'
import { startOddServer } from './odd-server.ts'

// Any that are free, but where their addresses are to be kept.
const [mockPort, frontPort] = (process.env.UPSTREAM_PORTS ?? '0,0').split(',').map(Number)

const mock = new LLMock({ port: mockPort!, logLevel: 'silent', chunkSize: 12 })

// Fixed ids and dates: the same question gets the same answer, byte for byte.
const fixed = { id: 'answer-1', created: 1_700_000_000 }

mock.on({ endpoint: 'chat', predicate: asksForTool }, (request) => ({
  ...fixed,
  toolCalls: [
    {
      id: 'call_1',
      name: request.tools![0]!.function.name,
      arguments: argumentsFor(request.tools![0]!.function.parameters, lastText(request.messages)),
    },
  ],
}))
mock.on(
  { endpoint: 'chat', predicate: ({ messages }) => lastText(messages).startsWith('Think') },
  () => ({
    ...fixed,
    reasoning: 'The question is about thinking.',
    content: 'I have thought.',
  }),
)
mock.on(
  { endpoint: 'chat', predicate: ({ messages }) => /as JSON/.test(lastText(messages)) },
  () => ({
    ...fixed,
    content: JSON.stringify({ city: 'Bern', degrees: 7 }),
  }),
)
mock.on({ endpoint: 'chat' }, (request) => ({
  ...fixed,
  content: `You said: ${lastText(request.messages)}`,
}))
mock.on({ endpoint: 'realtime' }, (request) => ({
  ...fixed,
  content: `You said: ${lastText(request.messages)}`,
}))
mock.onEmbedding(/.*/, { embedding: [0.25, -0.5, 1] })

await mock.start()
const odd = await startOddServer()
const front = await startFrontServer(mock.url, frontPort!)
const urls = { url: mock.url, oddUrl: odd.url, frontUrl: front.url }
process.stdout.write(JSON.stringify(urls) + '\n')
// It is killed at its end, and would leave nothing for the next one.
flushCompileCache()
process.on('disconnect', () => process.exit())

function asksForTool(request: { messages: Message[]; tools?: unknown[] }): boolean {
  return (request.tools?.length ?? 0) > 0 && request.messages.at(-1)?.role === 'user'
}

/** Those that `Call it with {…}` names. Structured output is, for some clients, a tool of its own. */
function argumentsFor(parameters: object = {}, asked: string): string {
  const [, named] = /^Call it with (\{.*\})$/.exec(asked) ?? []
  const isForecast = JSON.stringify(parameters).includes('"city"')
  return named ?? JSON.stringify(isForecast ? { city: 'Bern', degrees: 7 } : { order: 7 })
}

interface Message {
  role: string
  content?: unknown
}

function lastText(messages: Message[]): string {
  const { content } = messages.at(-1) ?? {}
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '[image]').join(' ')
}
