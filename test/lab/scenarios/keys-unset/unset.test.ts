import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'

test('a key that a test takes away is away, until it is put back', () => {
  vi.stubEnv('OPENAI_API_KEY', undefined)
  expect(() => new OpenAI()).toThrow(/OPENAI_API_KEY/)
  vi.unstubAllEnvs()
  expect(new OpenAI().apiKey).toBeTruthy()
})

test('a key that a test sets is the one', () => {
  vi.stubEnv('OPENAI_API_KEY', 'sk-mine')
  expect(new OpenAI().apiKey).toBe('sk-mine')
})

test('and is gone after it', () => {
  expect(new OpenAI().apiKey).not.toBe('sk-mine')
  expect(process.env.OPENAI_API_KEY).toBe(process.env.EXPECTED)
})

test('what is set for good stays set', () => {
  process.env.GROQ_API_KEY = 'gsk-1'
  process.env.GROQ_API_KEY = 'gsk-2'
  expect(process.env.GROQ_API_KEY).toBe('gsk-2')
  expect({ ...process.env }.GROQ_API_KEY).toBe('gsk-2')
})
