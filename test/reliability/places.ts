import { encodeCassette } from '../../src/cassette/encode-cassette.ts'
import type { StoredCassette } from '../../src/cassette/format.ts'
import { describeTurns } from '../../src/engine/describe.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
import { readText, type Body } from '../../src/wire/body.ts'
import { bodyOfEvents } from '../secrets/spelled-in.ts'

/** What is asked and answered in an exchange in which a text stands somewhere. */
interface Asked {
  prompt?: string
  answer?: Body
}

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

/** What is stored of an exchange that is recorded with this environment. */
export function store(
  { prompt = 'Hello', answer = answerOf({ content: 'Hi' }) }: Asked,
  env: Record<string, string>,
): StoredCassette {
  const url = 'https://api.openai.com/v1/chat/completions'
  const redactor = redactorFor([], new URL(url), [], env)
  const wire = {
    method: 'POST',
    url,
    body: readText(JSON.stringify({ messages: [{ role: 'user', content: prompt }] })),
  }
  const response = redactor.response({ status: 200, headers: {}, body: answer })
  const exchanges = describeTurns([{ incoming: readIncoming(redactor.request(wire)), response }])
  const timestamp = '2026-01-02T03:04:05.000Z'
  return encodeCassette({ conversationId: 'a', timestamp, exchanges }, '').stored
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
