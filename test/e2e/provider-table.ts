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

const INTRODUCTION = `# Providers and clients

<!-- Written by test/e2e/clients.test.ts: \`npx vitest run test/e2e/clients.test.ts -u\`. -->

Every client below is tried with every operation that it has, at its default host and with its default retries. The four
signs of an operation say, in this order, whether

1. it is **recorded**,
2. it is **replayed** without the provider, with an identical result,
3. a changed prompt is **one request**, which no client tries again,
4. a changed prompt **fails the test**, whatever the client makes of the refusal.

\`–\` stands where a client has no such operation.
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
    return [client.name, packages.join(', '), ...cells]
  })
  const table = printTable([['client', 'packages', ...OPERATIONS], ...rows])
  const reasons = notes.map((note, index) => `${index + 1}. ${note}`).join('\n')
  return [INTRODUCTION, `${table}\n`, ...(reasons ? [`${reasons}\n`] : [])].join('\n')
}

function signsOf({ recorded, replayed, isOneRequest, fails }: Outcome): string {
  return [recorded, replayed, isOneRequest, fails].map((holds) => (holds ? '✓' : '✗')).join('')
}

function noteOf(notes: string[], reason: string): number {
  if (!notes.includes(reason)) notes.push(reason)
  return notes.indexOf(reason) + 1
}
