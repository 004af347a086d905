import { expect, test } from 'vitest'
import { explainAddress } from '../../src/explain/explain-address.ts'
import { explainMiss } from '../../src/explain/explain.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import { readText } from '../../src/wire/body.ts'
import type { WireRequest } from '../../src/wire/message.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'

const at = (url: string): WireRequest => ({ method: 'POST', url, body: { kind: 'empty' } })
const OPENAI = 'https://api.openai.com/v1/chat/completions'
const LOCAL = 'http://localhost:4010/v1/chat/completions'

test('where a request went instead is said with the variable that set it', () => {
  const env = { OPENAI_BASE_URL: 'http://localhost:4010/v1', OTHER_URL: 'http://localhost:5000/v1' }
  expect(explainAddress(at(OPENAI), at(LOCAL), env)).toBe(
    `It was recorded at ${OPENAI}, and is asked at ${LOCAL}, as OPENAI_BASE_URL says.`,
  )
  expect(explainAddress(at(LOCAL), at(OPENAI), env)).toBe(
    `It was recorded at ${LOCAL}, and is asked at ${OPENAI}.`,
  )
})

test('one place is not spoken of, whatever its port', () => {
  const env = { OPENAI_BASE_URL: 'http://localhost:4010/v1' }
  expect(explainAddress(at(OPENAI), at(OPENAI), env)).toBe('')
  expect(explainAddress(at(LOCAL.replace('4010', '5000')), at(LOCAL), env)).toBe('')
})

test('a failure says it', () => {
  const asked = question('Hello')
  const session = openExample(recorded([asked, 'Hi']))
  const elsewhere: Incoming = readIncoming({
    ...at(LOCAL),
    body: readText(
      JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] }),
    ),
  })
  const answer = session.answer(elsewhere, { order: 1 })
  expect(answer.action).toBe('refuse')
  const { details } = explainMiss(session, session.misses[0]!, false)
  expect(details).toContain(`It was recorded at ${OPENAI}, and is asked at ${LOCAL}`)
})
