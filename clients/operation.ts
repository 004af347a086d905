import { mkdirSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const { CHANGED, RESULTS, UPSTREAM_URL } = process.env

/** What every client is tried with, and what has to be in the result. */
const OPERATIONS = {
  chat: /You said: Are you there/,
  stream: /You said/,
  'tool call': /look_up/,
  'tool loop': /Bern/,
  image: /What is this/,
  'structured output': /Bern/,
  embeddings: /0\.25/,
}

/** Questions of the operations; all of them change with the environment. */
export const questions = {
  chat: ask('Are you there?'),
  stream: ask('Tell me a story that takes several chunks'),
  tool: ask('Where is my order?'),
  image: ask('What is this?'),
  structured: ask('The weather as JSON'),
  // Clients that ask once for every text ask once when the prompt has changed.
  embeddings: CHANGED === '1' ? ['Three'] : ['One', 'Two'],
}

/** What the tool of every client is called, and what it finds. */
export const lookUp = {
  name: 'look_up',
  description: 'Looks an order up.',
  schema: {
    type: 'object' as const,
    properties: { order: { type: 'number' as const } },
    required: ['order'],
  },
  result: 'It is in Bern.',
}

/** The schema of structured output. */
export const weather = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const }, degrees: { type: 'number' as const } },
  required: ['city', 'degrees'],
  additionalProperties: false,
}

/** Where to record from; without it a client asks its provider's own host. */
export function upstream(path: string = ''): string | undefined {
  return UPSTREAM_URL && UPSTREAM_URL + path
}

/** Performs one operation as one test, and keeps its result for a comparison of two runs. */
export function operation(name: keyof typeof OPERATIONS, perform: () => Promise<unknown>): void {
  test(name, async ({ task }) => {
    const result = JSON.stringify(await perform(), null, 2)
    expect(result).toMatch(OPERATIONS[name])
    const directory = `${RESULTS}/${basename(task.file.name, '.test.ts')}`
    mkdirSync(directory, { recursive: true })
    writeFileSync(`${directory}/${name}.json`, result)
  })
}

export async function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of stream) items.push(item)
  return items
}

function ask(question: string): string {
  return CHANGED === '1' ? `${question} Quickly!` : question
}
