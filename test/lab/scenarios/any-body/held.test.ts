import { test } from 'vitest'
import { clients } from './send.ts'

const { ECHO_URL: SERVER, MUTATE } = process.env

const PROMPT = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })
const MUTANTS = {
  'an empty object': '{}',
  'an empty list': '[]',
  'no messages': '{"model":"m","messages":[]}',
  text: 'Hello',
  nothing: undefined,
}

const ASKED = Object.keys(clients).flatMap((client) =>
  Object.keys(MUTANTS).map((mutant, at) => {
    const path = at % 2 === 0 ? '/own/ask' : '/v1/chat/completions'
    return [client, path, mutant as keyof typeof MUTANTS] as const
  }),
)

test.each(ASKED)('%s %s with %s', async (client, path, mutant) => {
  const body = MUTATE ? MUTANTS[mutant] : PROMPT
  const type = MUTATE && mutant === 'text' ? 'text/plain' : 'application/json'
  const sent = { url: SERVER + path, headers: { 'content-type': type }, body }
  await clients[client]!(sent).catch(() => {})
})
