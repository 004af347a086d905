import fc from 'fast-check'
import { record, type MadeUp } from './make-case.ts'

/** The same in each run. */
const SEED = 42

const RUNS = 60

const word = fc.oneof(
  fc.constantFrom(
    'type',
    'properties',
    'tool_calls',
    'id',
    '10',
    '9',
    '$same',
    '$text',
    'a',
    'b',
    '\uFF5E',
    '😀',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }).filter((key) => key !== '__proto__'),
)
const text = fc.oneof(
  fc.constantFrom(
    '',
    'Where is it?',
    'one\ntwo\n'.repeat(30),
    '\0call:1',
    'QUJD'.repeat(300),
    'x '.repeat(600),
    '{"a":[1,2.50],"b":"é"}'.padEnd(300),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(null, true, false, 0, 1.5, -1e-7, 1e21, 123456789012345680000, 0.1, 5e-324),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(word, tie('value'), { maxKeys: 4 }),
  ),
}))
const body = fc.dictionary(word, value, { minKeys: 1, maxKeys: 4 })

/** Conversations of which each request holds all of the one before, with bodies that mean nothing. */
const conversation = fc
  .array(fc.tuple(body, value), { minLength: 1, maxLength: 4 })
  .map((turns): MadeUp => {
    const messages = turns.map(([message]) => message)
    const asked = turns.map(([, answer], index) => {
      const sent = { model: 'gpt-5', messages: messages.slice(0, index + 1) }
      const ask = {
        method: 'POST',
        url: 'https://llm.example.com/v1/chat/completions?a=1',
        body: JSON.stringify(sent),
      }
      return [ask, { sent: JSON.stringify({ answer }) }] as [typeof ask, { sent: string }]
    })
    return {
      shows: 'What chance has made.',
      ...record(asked),
      requests: asked.map(([ask], index) => [ask, `exchange-${index + 1}`]),
    }
  })

/** Cases of chance, by their names. */
export function chanceCases(): Record<string, MadeUp> {
  const made = fc.sample(conversation, { seed: SEED, numRuns: RUNS })
  return Object.fromEntries(made.map((one, index) => [`chance-${index}`, one]))
}
