import { expect, test } from 'vitest'
import { ask, askStreamed } from './ask.ts'

const key = process.env.OPENAI_API_KEY!
const password = process.env.ACME_PASSWORD!
/** The application gets the real answer, and replay what is stored of it. */
const seen = process.env.RECORD
  ? { key, password }
  : { key: '<REDACTED:OPENAI_API_KEY>', password: '<REDACTED:ACME_PASSWORD>' }

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
  expect(await ask(`What of ticket ${process.env.TICKET}?`)).toContain(
    `ticket ${process.env.TICKET}`,
  )
})

test('an address of someone', async () => {
  await ask('Write to ann@acme.io and bob@example.com.')
})

test('a model that a variable names', async () => {
  await ask(`Compare ${process.env.MODEL_KEY ?? 'gpt-4o-mini'} with the others.`)
})

test('a signature that a provider sends, and its address sent back', async () => {
  const address =
    'https://acme.blob.core.windows.net/a.png?st=2026-01-02T03%3A04%3A05Z&se=2026-01-02T05%3A04%3A05Z'
  const answer = await ask(
    `See ${address}&sr=b&sig=${'q8Zr2LmT0vYw7k3Xs9B1nPdQeRfUgHiJkLaMcO'}5678%3D`,
  )
  const [sent] = /https:\S+/.exec(answer)!
  expect(new URL(sent!).searchParams.get('sr')).toBe('b')
  expect(await ask(`Again: ${sent}`)).toContain(address)
})
