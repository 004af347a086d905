import { expect, test } from 'vitest'
import { baseUrls, ownBaseUrls } from '../../src/transports/child-environment.ts'

const base = 'http://127.0.0.1:4242/token'

test('a program that is told nothing asks the provider behind the gateway', () => {
  const told = baseUrls({}, base)
  expect(told.OPENAI_BASE_URL).toBe(`${base}/https/api.openai.com/v1`)
  expect(told.ANTHROPIC_BASE_URL).toBe(`${base}/https/api.anthropic.com`)
  expect(told.OLLAMA_HOST).toBe(`${base}/http/127.0.0.1:11434`)
  expect(told).not.toHaveProperty('AZURE_OPENAI_ENDPOINT')
})

test("a user's own base URL stands behind the gateway, under each of its names", () => {
  const own = { OPENAI_BASE_URL: 'http://localhost:4000/v1', OLLAMA_HOST: '0.0.0.0:11434' }
  const told = baseUrls({ ...own, AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com' }, base)
  expect(told).toMatchObject({
    OPENAI_BASE_URL: `${base}/http/localhost:4000/v1`,
    OPENAI_API_BASE: `${base}/http/localhost:4000/v1`,
    OLLAMA_HOST: `${base}/http/0.0.0.0:11434`,
    AZURE_OPENAI_ENDPOINT: `${base}/https/mine.openai.azure.com`,
  })
})

test('what is no address stays what it is, for the program to refuse', () => {
  expect(baseUrls({ OPENAI_BASE_URL: 'unix:///run/llm' }, base)).not.toHaveProperty(
    'OPENAI_BASE_URL',
  )
})

test('a program that was told tells its children the same, and knows what it would have been without', () => {
  for (const own of [{}, { OPENAI_BASE_URL: 'http://localhost:4000/v1' }]) {
    const told = { ...own, ...baseUrls(own, base) }
    expect(baseUrls(told, base)).toEqual(baseUrls(own, base))
    const before = ownBaseUrls(told, base)
    expect(Object.keys(before)).toEqual(Object.keys(baseUrls(own, base)))
    expect(before.OPENAI_BASE_URL).toBe(own.OPENAI_BASE_URL)
    expect(before.ANTHROPIC_BASE_URL).toBe(undefined)
  }
})
