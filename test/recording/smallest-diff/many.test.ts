import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import { keepUnchanged } from '../../../src/recording/keep-unchanged.ts'
import { readText } from '../../../src/wire/body.ts'
import { question } from '../../engine/example-session.ts'

/** A thousand calls, whose ids a provider invents anew each time. */
function recording(time: string): Cassette {
  const turns = Array.from({ length: 1_000 }, (_, index) => ({
    incoming: question(`Question ${index}? ${'Please. '.repeat(50)}`),
    response: {
      status: 200,
      headers: {},
      body: readText(
        JSON.stringify({
          id: `chatcmpl-${time}X${index}`,
          choices: [{ index: 0, message: { role: 'assistant', content: `Answer ${index}.` } }],
        }),
      ),
    },
  }))
  const exchanges = describeTurns(turns)
  return { conversationId: 'a.test.ts > asks', timestamp: '2026-01-01T00:00:00.000Z', exchanges }
}

// Where each message is looked through for each id, this takes hours.
test('of a thousand calls that are recorded again with new ids, none changes', () => {
  const old = recording('first')
  expect(keepUnchanged({})(old, recording('second')).exchanges).toEqual(old.exchanges)
})
