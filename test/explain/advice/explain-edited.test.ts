import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { explainMiss } from '../../../src/explain/explain-miss.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { readText } from '../../../src/wire/body.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'

function detailsWith(
  cassette: Cassette,
  headers?: Record<string, string>,
  text = 'Be kind.',
): string {
  const session = openExample(cassette)
  const { wire } = question(text)
  session.answer(readIncoming(headers ? { ...wire, headers } : wire), { order: 0 })
  return explainMiss(session, session.misses[0]!, false).details
}

test('a request that was edited in the cassette is named, since the prompt did not change', () => {
  const cassette = recorded([question('Be kind.'), 'Yes.'])
  const { request } = cassette.exchanges[0]!.wire!
  request.body = readText(
    JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Be rude.' }] }),
  )
  expect(detailsWith(cassette)).toContain(
    'The request of exchange-1 was edited in the cassette after it was recorded',
  )
})

test('a prompt that changed is not said to be edited', () => {
  expect(detailsWith(recorded([question('Be rude.'), 'Yes.']))).not.toContain('was edited in')
})

test('a request without a hash is not said to be edited', () => {
  const cassette = recorded([question('Be rude.'), 'Yes.'])
  delete cassette.exchanges[0]!.prompt.hash
  expect(detailsWith(cassette)).not.toContain('was edited in')
})

const COMMAND = 'npx vitest-cassette older __recordings__/a.test.ts/asks-0123456789.json'
const BETA = { 'openai-beta': 'one' }

test('where nothing but headers that another program left out differs, the command for it is named', () => {
  const cassette = recorded([question('Be kind.'), 'Yes.'])
  delete cassette.exchanges[0]!.prompt.hash
  expect(detailsWith(cassette, BETA)).toContain(`names several cassettes:\n  ${COMMAND}`)
  expect(detailsWith(cassette, BETA, 'Be rude.')).not.toContain(COMMAND)
  expect(detailsWith(cassette, { ...BETA, 'ai-language-model-id': 'one' })).not.toContain(COMMAND)
})

test('a new header of a request that had none when it was recorded is a change', () => {
  expect(detailsWith(recorded([question('Be kind.'), 'Yes.']), BETA)).not.toContain(COMMAND)
})

test('a header that is recorded, and one that is known to be unknown, are no such case', () => {
  const { wire } = question('Be kind.')
  const known = readIncoming({ ...wire, headers: { 'openai-beta': 'two' } })
  expect(detailsWith(recorded([known, 'Yes.']), BETA)).not.toContain(COMMAND)
  const marked = readIncoming({ ...wire, older: 'headers' })
  expect(detailsWith(recorded([marked, 'Yes.']), BETA, 'Be rude.')).not.toContain(COMMAND)
})
