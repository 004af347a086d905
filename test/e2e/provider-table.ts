import { printTable } from '../docs-section.ts'
import type { Client } from './clients.ts'

/** What a run has shown of one operation of one client. */
export interface Outcome {
  client: string
  operation: string
  recorded: boolean
  replayed: boolean
  isOneRequest: boolean
  fails: boolean
}

const OPERATIONS = [
  'chat',
  'stream',
  'tool call',
  'tool loop',
  'image',
  'structured output',
  'embeddings',
]

const INTRODUCTION = `# Providers: OpenAI, Anthropic, Gemini, Bedrock and others

Calls to OpenAI, Azure, Anthropic, Gemini, Vertex, Bedrock, Mistral, Cohere, Ollama, Groq, Together, Replicate, xAI,
DeepSeek, Perplexity, Fireworks and others are recorded and replayed without a set-up, by their SDKs, by the libraries
below, or by plain HTTP. At any other host, a call is recognised by its path, such as \`/v1/chat/completions\`. Name a
host whose paths are its own:

\`\`\`ts
cassettes({ hosts: ['llm.example.com'] })
\`\`\`

## What each client was tried with

Every operation that a client has was tried at its default host, with its default retries. \`✓\` means that

1. it is **recorded**,
2. it is **replayed** without the provider, with an identical result,
3. a changed prompt is **one request**, which no client tries again,
4. a changed prompt **fails the test**, whatever the client makes of the refusal.

Where one of these does not hold, all four have a sign, in this order. \`–\` stands where a client has no such operation.

<!-- Written by test/e2e/clients.test.ts: \`npx vitest run test/e2e/clients.test.ts -u\`. -->
`

/** Prints the page of documentation that a run proves. */
export function printProviders(
  clients: Client[],
  outcomes: Outcome[],
  versions: Record<string, string>,
): string {
  const notes: string[] = []
  const rows = clients.map((client) => {
    const packages = client.packages.map((name) => `\`${name}\` ${versions[name]}`)
    const cells = OPERATIONS.map((operation) => {
      const outcome = outcomes.find(
        (one) => one.client === client.name && one.operation === operation,
      )
      if (!outcome) return '–'
      const reason = client.reasons?.[operation]
      return signsOf(outcome) + (reason ? ` [${noteOf(notes, reason)}]` : '')
    })
    return [`**${client.name}** ${packages.join(', ')}`, ...cells]
  })
  const table = printTable([['client', ...OPERATIONS], ...rows])
  const reasons = notes.map((note, index) => `${index + 1}. ${note}`).join('\n')
  return [INTRODUCTION, `${table}\n`, ...(reasons ? [`${reasons}\n`] : [])].join('\n')
}

function signsOf({ recorded, replayed, isOneRequest, fails }: Outcome): string {
  const held = [recorded, replayed, isOneRequest, fails]
  return held.every(Boolean) ? '✓' : held.map((holds) => (holds ? '✓' : '✗')).join('')
}

function noteOf(notes: string[], reason: string): number {
  if (!notes.includes(reason)) notes.push(reason)
  return notes.indexOf(reason) + 1
}
