import type { Exchange } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import type { StoredCassette } from '../../src/cassette/format.ts'
import { findSecrets } from '../../src/secrets/find-secrets.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
import { readText, type Body } from '../../src/wire/body.ts'
import { bodyOfEvents } from '../secrets/spelled-in.ts'

/** What is asked and answered in an exchange in which a text stands somewhere. */
export interface Asked {
  prompt?: string
  answer?: Body
}

/** More findings than these are counted and not listed. */
const PER_CASSETTE = 15

/** A text with the name of what stands in it, as `NAME=value`. */
type Placed = (name: string, value: string) => Asked

export const PLACES: Record<string, Placed> = {
  prompt: (name, value) => ({ prompt: `Deploy it with ${name}=${value} please.` }),
  answer: (name, value) => ({
    answer: answerOf({ content: `Run it with ${name}=${value} then.` }),
  }),
  'streamed answer': (name, value) => ({
    answer: bodyOfEvents(['Run it ', ...thirds(`with ${name}=${value}`), ' then.']),
  }),
  'tool arguments': (name, value) => ({ answer: answerOf({ tool_calls: [callOf(name, value)] }) }),
  URL: (name, value) => ({
    prompt: `Ask https://acme.io/?${name}=${encodeURIComponent(value)} for it.`,
  }),
  base64: (name, value) => ({
    prompt: Buffer.from(`Deploy it with ${name}=${value} please.`).toString('base64'),
  }),
  'without its name': (_, value) => ({ prompt: `Is ${value} still valid?` }),
}

/** A whole text that somebody has pasted. */
export const PASTED: Record<string, (text: string) => Asked> = {
  prompt: (text) => ({ prompt: `Is ${text} still valid?` }),
  answer: (text) => ({ answer: answerOf({ content: `Yes, ${text} is valid.` }) }),
  'streamed answer': (text) => ({ answer: bodyOfEvents(['Yes, ', ...thirds(text), ' is valid.']) }),
}

/** What is stored of exchanges that are recorded with this environment, in cassettes of a few of them each. */
export function storeAll(asked: readonly Asked[], env: Record<string, string>): StoredCassette[] {
  return Array.from({ length: Math.ceil(asked.length / PER_CASSETTE) }, (_, index) =>
    store(asked.slice(index * PER_CASSETTE, (index + 1) * PER_CASSETTE), env),
  )
}

/** Of how many of these exchanges what is stored holds what looks like a credential, by their indexes. */
export async function scanAll(asked: readonly Asked[]): Promise<Set<number>> {
  const found = new Set<number>()
  for (const [index, stored] of storeAll(asked, {}).entries()) {
    const { secrets, more } = await findSecrets(stored, exchangesOf(stored))
    if (more > 0) throw new Error('Too many findings in one cassette to see in which exchanges.')
    for (const { pointer } of secrets)
      found.add(index * PER_CASSETTE + Number(pointer.split('/')[2]))
  }
  return found
}

/** The exchanges of a cassette that has no pictures. */
export function exchangesOf(stored: StoredCassette): Exchange[] {
  return decodeCassette(stored, (name) => {
    throw new Error(`There is no ${name}.`)
  }).exchanges
}

/** What is stored of exchanges that are recorded with this environment. */
export function store(asked: readonly Asked[], env: Record<string, string>): StoredCassette {
  const exchanges = describeTurns(asked.map((one) => turnOf(one, env)))
  const timestamp = '2026-01-02T03:04:05.000Z'
  return encodeCassette({ conversationId: 'a', timestamp, exchanges }, '').stored
}

function turnOf(
  { prompt = 'Hello', answer = answerOf({ content: 'Hi' }) }: Asked,
  env: Record<string, string>,
): Parameters<typeof describeTurns>[0][number] {
  const url = 'https://api.openai.com/v1/chat/completions'
  const redactor = redactorFor([], new URL(url), [], env)
  const wire = {
    method: 'POST',
    url,
    body: readText(JSON.stringify({ messages: [{ role: 'user', content: prompt }] })),
  }
  const response = redactor.response({ status: 200, headers: {}, body: answer })
  return { incoming: readIncoming(redactor.request(wire)), response }
}

function answerOf(message: object): Body {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }]
  return readText(JSON.stringify({ choices }))
}

function callOf(name: string, value: string): object {
  const args = JSON.stringify({ [name.toLowerCase()]: value })
  return { id: 'call_1', type: 'function', function: { name: 'deploy', arguments: args } }
}

/** Cut in the midst of what is looked for. */
function thirds(text: string): string[] {
  const third = Math.ceil(text.length / 3)
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)]
}
