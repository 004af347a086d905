import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { useCassette } from 'vitest-cassette'

const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${process.env.ODD_URL}/v1` })

/** What is another at every run. */
const RUNS = {
  first: {
    ids: ['3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f', '9e107d9d-372b-4b8d-a5f1-1c2d3e4f5a6b'],
    day: 'Friday, November 20, 2026',
    request: 'req-17',
    folder: '/tmp/agent-a1',
    word: 'brief',
  },
  later: {
    ids: ['0a0a0a0a-5d4a-4c6b-9e8f-0a1b2c3d4e5f', '0b0b0b0b-372b-4b8d-a5f1-1c2d3e4f5a6b'],
    day: 'Saturday, November 21, 2026',
    request: 'req-23456',
    folder: '/tmp/agent-b2',
    word: 'kind',
  },
}
const changed = process.env.CHANGED === '1'
const { ids, day, request, folder, word } = changed ? RUNS.later : RUNS.first
const [one, other] = ids as [string, string]

async function ask(
  messages: OpenAI.ChatCompletionMessageParam[],
  run = 'run-1',
): Promise<OpenAI.ChatCompletionAssistantMessageParam> {
  const body = { model: 'gpt-4o-2024-08-06', messages, metadata: { run } }
  const { choices } = await openai.chat.completions.create(body)
  return { role: 'assistant', content: choices[0]!.message.content }
}

function user(content: string): OpenAI.ChatCompletionMessageParam {
  return { role: 'user', content }
}

test('plain: the answer has the values of this run', async () => {
  const text = `ticket ${one} on ${day}, ${request}`
  expect(await ask([user(text)], changed ? 'run-2' : 'run-1')).toMatchObject({
    content: `Odd: ${text}`,
  })
})

test('streamed: the answer has them where they lie in many events', async () => {
  const text = `spelled ${one} and ${other} on ${day}, ${request}.`
  const stream = await openai.chat.completions.create({
    model: 'gpt-5',
    stream: true,
    messages: [user(text)],
  })
  let answer = ''
  for await (const { choices } of stream) answer += choices[0]?.delta.content ?? ''
  expect(answer).toBe(text)
})

test('turns: the answer may be sent back', async () => {
  const messages = [user(`open ${one}`)]
  messages.push(await ask(messages), user(`close ${one}`))
  expect(await ask(messages)).toMatchObject({ content: `Odd: close ${one}` })
})

test('swapped: two values that change places are a miss', async () => {
  await ask([user(`first ${one}, second ${other}`)])
  await ask([user(`now ${changed ? other : one}`)])
})

test('word: a word beside them is a miss', async () => {
  await ask([user(`On ${day} be ${word}.`)])
})

test('folder: a value that nobody declared is a miss that says what to declare', async () => {
  await ask([user(`On ${day} work in ${folder}/src.`)])
})

describe('covered', () => {
  useCassette({ volatile: changed ? ['$.messages[0].content'] : [] })

  test('covered: a rule that covers a message is refused', async () => {
    await ask([user(`Be ${word}.`)])
  })
})
