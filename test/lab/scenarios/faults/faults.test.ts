import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { beforeEach, expect, test } from 'vitest'

const { UPSTREAM_URL, MISSING } = process.env
// While the test is recorded nothing goes wrong.
const isReplay = process.env.RECORD === undefined
const apiKey = 'sk-none'

let requests = 0
beforeEach(() => void (requests = 0))

const countingFetch: typeof fetch = (...given) => {
  requests++
  return fetch(...given)
}
const openai = new OpenAI({ apiKey, baseURL: `${UPSTREAM_URL}/v1`, fetch: countingFetch })
const anthropic = new Anthropic({ apiKey, baseURL: UPSTREAM_URL, fetch: countingFetch })
const asked = {
  model: 'gpt-5',
  messages: [{ role: 'user' as const, content: 'Tell me about the weather of Bern' }],
}

test('openai tries again after 429', async ({ cassette }) => {
  cassette.use({ faults: ['429 twice'] })
  const answer = await openai.chat.completions.create(asked)
  expect(answer.choices[0]!.message.content).toContain('You said')
  expect(requests).toBe(isReplay ? 3 : 1)
})

test('openai gives up', async ({ cassette }) => {
  cassette.use({ faults: [{ status: 429, times: 3 }] })
  const answer = openai.chat.completions.create(asked)
  if (isReplay) await expect(answer).rejects.toThrow(OpenAI.RateLimitError)
  else await answer
})

test('anthropic tries again where it is overloaded', async ({ cassette }) => {
  cassette.use({ faults: ['529 once', 'delay 300ms'] })
  const started = performance.now()
  const answer = await anthropic.messages.create({ ...asked, max_tokens: 50 })
  expect(answer.content[0]).toMatchObject({ text: expect.stringContaining('You said') })
  expect(requests).toBe(isReplay ? 2 : 1)
  if (isReplay) expect(performance.now() - started).toBeGreaterThan(590)
})

test('an application reads a stream again that was cut', async ({ cassette }) => {
  cassette.use({ faults: [MISSING ? 'cut after event 99' : 'cut after event 3'] })
  const pieces: string[] = []
  const read = async (): Promise<void> => {
    pieces.length = 0
    const chunks = await openai.chat.completions.create({ ...asked, stream: true })
    for await (const chunk of chunks) pieces.push(chunk.choices[0]?.delta.content ?? '')
  }
  if (isReplay && !MISSING) {
    await expect(read()).rejects.toThrow()
    expect(pieces).toHaveLength(3)
  }
  await read()
  expect(pieces.join('')).toContain('the weather of Bern')
})

test('a slow answer loses its race again', async ({ cassette }) => {
  cassette.use({ faults: [{ delayMs: 200, on: 'exchange-1' }] })
  const ask = async (content: string): Promise<string> => {
    await openai.chat.completions.create({ ...asked, messages: [{ role: 'user', content }] })
    return content
  }
  const slow = ask('Who is slow?')
  // The names of exchanges follow the order in which their responses ended.
  if (!isReplay) await slow
  const answers = [slow, ask('Who is fast?')]
  if (isReplay) expect(await Promise.race(answers)).toBe('Who is fast?')
  await Promise.all(answers)
})
