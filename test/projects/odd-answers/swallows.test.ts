import OpenAI from 'openai'
import { expect, test } from 'vitest'

const openai = new OpenAI({
  apiKey: 'sk-test-key-that-is-not-one',
  baseURL: `${process.env.UPSTREAM_URL}/v1`,
  maxRetries: 0,
})

/** As services do: whatever happens, somebody gets an answer. */
async function answer(question: string): Promise<string> {
  try {
    const completion = await openai.chat.completions.create({
      model: process.env.MODEL ?? 'gpt-5',
      messages: [{ role: 'user', content: question }],
    })
    return completion.choices[0]!.message.content!
  } catch {
    return 'We will come back to you.'
  }
}

async function stream(question: string): Promise<string> {
  let text = ''
  try {
    const events = await openai.chat.completions.create({
      model: process.env.MODEL ?? 'gpt-5',
      stream: true,
      messages: [{ role: 'user', content: question }],
    })
    for await (const { choices } of events) text += choices[0]?.delta.content ?? ''
  } catch {
    text += '…'
  }
  return text
}

test('asks', async () => {
  expect(await answer('What fails?')).toBeTruthy()
})

test('streams', async () => {
  expect(await stream('What breaks?')).toBeTruthy()
})

test('aborts', async () => {
  const events = await openai.chat.completions.create({
    model: 'gpt-5',
    stream: true,
    messages: [{ role: 'user', content: 'What is left?' }],
  })
  for await (const _ of events) break
})
