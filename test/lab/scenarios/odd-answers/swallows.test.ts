import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'

const openai = new OpenAI({
  apiKey: 'sk-test-key-that-is-not-one',
  baseURL: `${process.env.ODD_URL}/v1`,
  maxRetries: 0,
})

const { AGAIN } = process.env

/** As services do: whatever happens, somebody gets an answer. */
async function answer(question: string, model = 'gpt-5'): Promise<string> {
  try {
    const completion = await openai.chat.completions.create({
      model,
      messages: [{ role: 'user', content: question }],
    })
    return completion.choices[0]!.message.content!
  } catch {
    return 'We will come back to you.'
  }
}

async function stream(question: string, model = 'gpt-5'): Promise<string> {
  let text = ''
  try {
    const events = await openai.chat.completions.create({
      model,
      stream: true,
      messages: [{ role: 'user', content: question }],
    })
    for await (const { choices } of events) text += choices[0]?.delta.content ?? ''
  } catch {
    text += '…'
  }
  return text
}

describe.for([
  ['a mistyped model', AGAIN ? 'gpt-5-mni' : 'gpt-5'],
  ['the same model', 'gpt-5'],
] as const)('%s', ([who, model]) => {
  test.for([
    ['a model that is not there', 'status 404'],
    ['a bad request', 'status 400'],
    ['an empty account', 'status 402'],
    ['a wrong base URL', 'page 404'],
    ['a login page', 'page 200'],
    ['another API', 'another-api'],
  ])('gets a good answer first, then that of %s', async ([, odd]) => {
    expect(await answer(`good, then ${odd} for ${who}`, model)).toBeTruthy()
  })

  test.for([
    ['parameters that are refused', 'status 422'],
    ['a login page', 'page 200'],
    ['a stream that ends early', 'halved'],
    ['a stream that breaks', 'cut'],
  ])('gets a good stream first, then that of %s', async ([, odd]) => {
    expect(await stream(`slow, then ${odd} for ${who}`, model)).toBeTruthy()
  })
})

test('asks', async () => {
  expect(await answer('status 404, each time')).toBeTruthy()
})

test('streams', async () => {
  expect(await stream('halved')).toBeTruthy()
})

test('aborts', async () => {
  const events = await openai.chat.completions.create({
    model: 'gpt-5',
    stream: true,
    messages: [{ role: 'user', content: 'slow, and left' }],
  })
  for await (const _ of events) break
})

test('asks once more', async () => {
  expect(await answer('Is it well?')).toBeTruthy()
  if (AGAIN) await answer('status 400, and too long')
})
