// Tests without a recording: each takes the key away, and wants to see its SDK refuse to start. Or it only makes a client.
import { env as named } from 'node:process'
import { runInNewContext } from 'node:vm'
import OpenAI from 'openai'
import { afterEach, expect, test, vi } from 'vitest'

const OLD = process.env
const COPY = { ...process.env }

afterEach(() => {
  vi.unstubAllEnvs()
  process.env = OLD
})

const TAKES: Record<string, () => void> = {
  'an empty environment': () => void (process.env = {}),
  'one of a few variables': () => void (process.env = { PATH: OLD.PATH, NODE_ENV: 'test' }),
  'the rest of one': () => {
    const { OPENAI_API_KEY: _, ...rest } = process.env
    process.env = rest
  },
  'one without it': () => {
    process.env = { ...OLD }
    delete process.env.OPENAI_API_KEY
  },
  'one with undefined': () => void (process.env = { ...OLD, OPENAI_API_KEY: undefined }),
  'one with the empty text': () => void (process.env = { ...OLD, OPENAI_API_KEY: '' }),
  'a stub': () => void vi.stubEnv('OPENAI_API_KEY', undefined),
  'an empty stub': () => void vi.stubEnv('OPENAI_API_KEY', ''),
  'a stub in a copy': () => {
    process.env = { ...OLD }
    vi.stubEnv('OPENAI_API_KEY', undefined)
  },
}

test.for(Object.keys(TAKES))('%s takes the key away', (name) => {
  TAKES[name]!()
  expect(() => new OpenAI()).toThrow(/OPENAI_API_KEY/)
})

const KEEPS: Record<string, () => void> = {
  'a copy': () => void (process.env = { ...OLD }),
  'a copy of a copy': () => void (process.env = { ...COPY }),
  'a clone': () => void (process.env = structuredClone(process.env)),
  'one by JSON': () => void (process.env = JSON.parse(JSON.stringify(COPY))),
  'one that was filled': () => {
    process.env = {}
    Object.assign(process.env, OLD)
  },
  'one that was emptied and filled again': () => {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, COPY)
  },
}

test.for(Object.keys(KEEPS))('%s keeps it for an SDK, and shows it to nobody else', (name) => {
  KEEPS[name]!()
  expect(new OpenAI().apiKey).toBeTruthy()
  for (const env of [process.env, named, import.meta.env, { ...process.env }]) {
    expect(env.OPENAI_API_KEY).toBe(OLD.EXPECTED)
    expect('OPENAI_API_KEY' in env).toBe(OLD.EXPECTED !== undefined)
    expect(Object.keys(env).includes('OPENAI_API_KEY')).toBe(OLD.EXPECTED !== undefined)
  }
  const shown = runInNewContext("Object.keys(env).includes('OPENAI_API_KEY')", { env: process.env })
  expect(shown).toBe(OLD.EXPECTED !== undefined)
})

test('the environment is itself again', () => {
  const next: NodeJS.ProcessEnv = { A: '1' }
  process.env = next
  next.B = '2'
  process.env.C = '3'
  expect({ ...process.env }).toEqual({ A: '1', B: '2', C: '3' })
  process.env = OLD
  expect(process.env).toBe(OLD)
  expect({ ...process.env }).toEqual(COPY)
})
