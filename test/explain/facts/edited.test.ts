import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { explainMiss } from '../as-reported.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { readText } from '../../../src/wire/body.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'

function detailsWith(cassette: Cassette): string {
  const session = openExample(cassette)
  session.answer(readIncoming(question('Be kind.').wire), { order: 0 })
  return explainMiss(session, session.misses[0]!, false).details
}

/** The paragraphs before the commands that are no table and no diff: those are indented. */
function hintsIn(details: string): string[] {
  return details
    .split('\n\n')
    .slice(0, -1)
    .filter((one) => !one.startsWith(' '))
}

test('a request that somebody edited by hand is named, since the prompt did not change', async () => {
  const cassette = recorded([question('Be kind.'), 'Yes.'])
  const { request } = cassette.exchanges[0]!.wire!
  request.body = readText(
    JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Be rude.' }] }),
  )
  const [hint, ...more] = hintsIn(detailsWith(cassette))
  expect(hint).toContain('exchange-1')
  expect(more).toEqual([])
  await expectGolden(hint!, 'edited')
})

test('a formatter is not suspected where an exchange was imported without its prompt', () => {
  const cassette = recorded([question('Be kind.'), 'Yes.'])
  const { request } = cassette.exchanges[0]!.wire!
  request.body = { kind: 'empty' }
  request.imported = { from: 'har', unknown: ['body'] }
  expect(detailsWith(cassette)).not.toContain('npx vitest-cassette verify')
})

test('a prompt that changed is not said to be edited', () => {
  expect(hintsIn(detailsWith(recorded([question('Be rude.'), 'Yes.'])))).toEqual([])
})

test('a request without a hash is not said to be edited', () => {
  const cassette = recorded([question('Be rude.'), 'Yes.'])
  delete cassette.exchanges[0]!.prompt.hash
  expect(hintsIn(detailsWith(cassette))).toEqual([])
})
