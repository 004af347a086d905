import { expect, test, vi } from 'vitest'
import { ask, completion } from './ask.ts'

vi.mock('openai', () => ({
  default: class {
    chat = { completions: { create: async () => completion } }
  },
}))

test('asks a class that is mocked', async () => {
  expect(await ask('Who?')).toBe('Mocked.')
})
