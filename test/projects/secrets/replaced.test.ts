import { expect, test } from 'vitest'
import { ask, askStreamed } from './ask.ts'

const key = process.env.OPENAI_API_KEY!
const password = process.env.ACME_PASSWORD!
/** The application gets the real answer, and replay what is stored of it. */
const seen = process.env.RECORD
  ? { key, password, ticket: `ticket ${process.env.TICKET}` }
  : {
      key: '<REDACTED:OPENAI_API_KEY>',
      password: '<REDACTED:ACME_PASSWORD>',
      ticket: '<REDACTED:RULE_1>',
    }

test('a key in a prompt and its answer', async () => {
  expect(await ask(`Use ${key}.`)).toBe(`You said: Use ${seen.key}.`)
})

test('a password that an answer says in pieces', async () => {
  expect(await askStreamed(`Use ${password}.`)).toBe(`You said: Use ${seen.password}.`)
})

test('what an answer said is asked on', async () => {
  const answer = await ask(`Use ${password}.`)
  expect(await ask(`Again: ${answer}`)).toContain(seen.password)
})

test('what the user describes', async () => {
  expect(await ask(`What of ticket ${process.env.TICKET}?`)).toContain(seen.ticket)
})

test('an address of someone', async () => {
  await ask('Write to ann@acme.io and bob@example.com.')
})
