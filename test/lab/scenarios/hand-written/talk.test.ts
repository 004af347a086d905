import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { useCassette } from 'vitest-cassette'
import { agents, anthropic, live, openai } from './clients.ts'

// Nothing but the last test has anything to record.
const replayed = test.skipIf(live)

const nowhere = (): string => {
  throw new Error('was asked for the weather')
}

replayed.each(Object.entries(agents))('loops with %s', async (_, agent) => {
  const cities: string[] = []
  const answer = await agent('Do I need a hat?', (city) => {
    cities.push(city)
    return 'Rain.'
  })
  expect(cities).toEqual(['Ulm', 'Bern'])
  expect(answer).toBe('Take your hat,\nand an umbrella.')
})

replayed('serves every client', async () => {
  const cassette = useCassette({ repeats: 'last' })
  for (const agent of Object.values(agents))
    expect(await agent('Hello?', nowhere)).toBe('Hi there.')
  expect(cassette.exchanges.map(({ completion }) => completion.text)).toEqual(
    Array.from({ length: 4 }, () => 'Hi there.'),
  )
})

replayed('fails in the middle', async () => {
  const slow = anthropic.withOptions({ maxRetries: 0 })
  const body = { model: 'claude-sonnet-5', max_tokens: 9 }
  const ask = (content: string) =>
    slow.messages.create({ ...body, messages: [{ role: 'user', content }] })
  await expect(ask('Hello?')).rejects.toMatchObject({ status: 529 })
  const pieces: string[] = []
  const stream = await openai.chat.completions.create({
    model: 'gpt-5',
    stream: true,
    messages: [{ role: 'user', content: 'Tell me a story' }],
  })
  await expect(async () => {
    for await (const chunk of stream) pieces.push(chunk.choices[0]?.delta.content ?? '')
  }).rejects.toThrow()
  expect(pieces.join('')).toBe('Once upon a')
  await expect(
    openai.withOptions({ maxRetries: 0 }).responses.create({ model: 'gpt-5', input: 'Hello?' }),
  ).rejects.toBeInstanceOf(OpenAI.RateLimitError)
})

replayed('has a wrong hash', async () => {
  await agents.openai!('Hello?', nowhere)
})

test('goes on live', async () => {
  const ask = async (content: string): Promise<string> => {
    const messages = [{ role: 'user' as const, content }]
    const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages })
    return choices[0]!.message.content!
  }
  expect(await ask('Hello?')).toBe('Hi there.')
  expect(await ask('Who are you?')).toBe('Odd: Who are you?')
})
