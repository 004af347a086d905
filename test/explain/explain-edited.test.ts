import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/format/cassette.ts'
import { explainMiss } from '../../src/explain/explain.ts'
import { readText } from '../../src/wire/body.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'

function detailsWith(cassette: Cassette): string {
  const session = openExample(cassette)
  session.answer(question('Be kind.'), { order: 0 })
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
