import { expect, test } from 'vitest'
import { ask, isRecording, SECRETS } from './ask.ts'

const quoted = `401: Incorrect key ${SECRETS.join(', ')}. Why?`

/** While recording, all is well. */
function fail(error: Error): void {
  if (!isRecording) throw error
}

test('an error', async () => {
  await ask('Hello')
  fail(new Error(quoted, { cause: new TypeError(quoted) }))
})

test('each attempt', { retry: 1 }, async ({ task }) => {
  await ask('Hello again')
  fail(new Error(`${task.result!.retryCount ?? 0} failed: ${quoted}`))
})

test('an assertion', async () => {
  const answer = await ask('Hello you')
  if (!isRecording) expect(answer).toBe(`Hello ${quoted}`)
})

test('a stack', async () => {
  await ask('Hello stack')
  const name = `use_${SECRETS[1]}`
  const calls = { [name]: () => fail(new Error('no key')) }
  calls[name]!()
})

test('a changed prompt, and what the application makes of it', async () => {
  await ask(`Hello ${process.env.CHANGED ?? 'world'}, with ${SECRETS[0]} and ${SECRETS[1]}`).catch(
    () => fail(new Error(quoted)),
  )
})

test('a tool', async () => {
  await ask('Hello tool', `use_${SECRETS[0]}`)
})
