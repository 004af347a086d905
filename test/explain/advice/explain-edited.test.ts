import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { explainMiss } from '../../../src/explain/explain-miss.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { readText } from '../../../src/wire/body.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'

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

const COMMAND = 'npx vitest-cassette older __recordings__/a.test.ts/asks-0123456789.json'
const BETA = { 'openai-beta': 'one' }

test('where nothing but headers that another program left out differs, the command for it is named', async () => {
  const cassette = recorded([question('Be kind.'), 'Yes.'])
  delete cassette.exchanges[0]!.prompt.hash
  const [hint] = hintsIn(detailsWith(cassette, BETA))
  expect(hint!.endsWith(`\n  ${COMMAND}`), hint).toBe(true)
  await expectGolden(hint!, 'headers-left-out')
  expect(detailsWith(cassette, BETA, 'Be rude.')).not.toContain(COMMAND)
  expect(detailsWith(cassette, { ...BETA, 'ai-language-model-id': 'one' })).not.toContain(COMMAND)
})

test('a header that is new since the recording is a change', () => {
  expect(detailsWith(recorded([question('Be kind.'), 'Yes.']), BETA)).not.toContain(COMMAND)
})

test('a header that is recorded, and one that is known to be unknown, are no such case', () => {
  const { wire } = question('Be kind.')
  const known = readIncoming({ ...wire, headers: { 'openai-beta': 'two' } })
  expect(detailsWith(recorded([known, 'Yes.']), BETA)).not.toContain(COMMAND)
  const marked = readIncoming({ ...wire, older: 'headers' })
  expect(detailsWith(recorded([marked, 'Yes.']), BETA, 'Be rude.')).not.toContain(COMMAND)
})
