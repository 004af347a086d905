import { ChatOpenAI } from '@langchain/openai'
import { expect, test, vi } from 'vitest'

test('LangChain counts tokens roughly, and does not try again for a minute', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const model = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none' })
  expect(await model.getNumTokens('How many moons has Mars?')).toBeGreaterThan(3)
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('approximate'), expect.anything())
})
