import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { useCassette } from 'vitest-cassette'

const made = new OpenAI({ baseURL: `${process.env.ENDPOINT}/v1` })

test('asks the provider itself with a client of the file', async () => {
  useCassette({ mode: 'new' })
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  const asked = made.chat.completions.create({ model: 'gpt-5', messages })
  await expect(asked).rejects.toThrow()
})
