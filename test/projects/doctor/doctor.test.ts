import { randomUUID } from 'node:crypto'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const openai = new OpenAI({ apiKey: 'sk-none', baseURL: `${process.env.ODD_URL}/v1` })

const changed = process.env.CHANGED === '1'
const id = changed ? '0a0a0a0a-5d4a-4c6b-9e8f-0a1b2c3d4e5f' : '3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f'
const day = changed ? 'Saturday, November 21, 2026' : 'Friday, November 20, 2026'
const folder = changed ? '/tmp/agent-b2' : '/tmp/agent-a1'
const word = process.env.WORD ?? 'brief'

async function ask(messages: OpenAI.ChatCompletionMessageParam[]): Promise<string> {
  const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages })
  return choices[0]!.message.content!
}

test('turns', async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = []
  for (const said of [`On ${day} open ${id}`, `Look into ${folder}/src`, 'Thanks']) {
    messages.push({ role: 'user', content: said })
    const answer = await ask(messages)
    expect(answer).toBe(`Odd: ${said}`)
    messages.push({ role: 'assistant', content: answer })
  }
})

test('declared', async () => {
  await ask([{ role: 'user', content: `open ${id}` }])
})

test('word', async () => {
  await ask([{ role: 'user', content: `On ${day} be ${word}` }])
})

test('run', async () => {
  const seed = process.env.RANDOM === '1' ? Math.random() : 0.5
  await openai.chat.completions.create({
    model: 'gpt-5',
    metadata: { run: `try ${seed}` },
    messages: [{ role: 'user', content: `Take the id ${seed === 0.5 ? id : randomUUID()}` }],
  })
})
