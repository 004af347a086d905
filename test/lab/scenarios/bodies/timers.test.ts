import { test, vi } from 'vitest'
import { ask } from './ask.ts'
import { keep } from '../keep.ts'

test('a stream while timers are faked', async () => {
  vi.useFakeTimers()
  const response = await ask('lump').finally(() => vi.useRealTimers())
  keep('chunks-faked', [await response.text()])
})

test('timers that are faked between calls hold nothing up', async () => {
  const answers: string[] = []
  const say = async (content: string): Promise<unknown> =>
    answers.push(await (await ask(content)).text())
  // Fetch waits seconds for a connection that it opened before timers were faked: more than a test may take.
  for (const time of [1, 2, 3]) {
    await say(`In time ${time}`)
    vi.useFakeTimers()
    await say(`Out of time ${time}`).finally(() => vi.useRealTimers())
  }
  keep('faked', answers)
})
