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

/** Prints the section of docs/providers.md that a run proves. */
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
  return [table, ...(reasons ? [reasons] : [])].join('\n\n')
}

function signsOf({ recorded, replayed, isOneRequest, fails }: Outcome): string {
  const held = [recorded, replayed, isOneRequest, fails]
  return held.every(Boolean) ? '✓' : held.map((holds) => (holds ? '✓' : '✗')).join('')
}

function noteOf(notes: string[], reason: string): number {
  if (!notes.includes(reason)) notes.push(reason)
  return notes.indexOf(reason) + 1
}
