// Tests put another environment in the place of the one of the process, and take it away again.
import { env as named } from 'node:process'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime'
import OpenAI from 'openai'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

const OLD = process.env
const COPY = { ...process.env }
const { UPSTREAM_URL } = process.env
const child = new URL('./child.mjs', import.meta.url).pathname

afterEach(() => void (process.env = OLD))

async function ask(question: string, openai?: OpenAI): Promise<void> {
  const client = openai ?? new OpenAI({ baseURL: `${UPSTREAM_URL}/v1` })
  const messages = [{ role: 'user' as const, content: question }]
  const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages })
  expect(choices[0]!.message.content).toBe(`You said: ${question}`)
}

const REPLACED: Record<string, () => void> = {
  'a copy': () => void (process.env = { ...OLD }),
  'a copy of a copy': () => void (process.env = { ...COPY }),
  'the copy itself': () => void (process.env = COPY),
  'a copy by Object.assign': () => void (process.env = Object.assign({}, process.env)),
  'an empty one that is filled': () => {
    process.env = {}
    Object.assign(process.env, OLD)
  },
  'an empty one that gets the key alone': () => {
    process.env = {}
    process.env.OPENAI_API_KEY = OLD.OPENAI_API_KEY
  },
  'a structured clone': () => void (process.env = structuredClone(process.env)),
  'a clone of a copy': () => void (process.env = structuredClone(COPY)),
  'one by JSON': () => void (process.env = JSON.parse(JSON.stringify(process.env))),
  'one by its entries': () => void (process.env = Object.fromEntries(Object.entries(OLD))),
  'one by a loop': () => {
    const next: NodeJS.ProcessEnv = {}
    for (const name in process.env) next[name] = process.env[name]
    process.env = next
  },
  'a frozen one': () => void (process.env = Object.freeze({ ...OLD })),
  'one that was emptied and filled again': () => {
    const saved = { ...process.env }
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, saved)
  },
  'one by defineProperty': () => {
    const before = Object.getOwnPropertyDescriptor(process, 'env')!
    Object.defineProperty(process, 'env', { ...OLD, value: { ...OLD }, configurable: true })
    restoring = () => void Object.defineProperty(process, 'env', before)
  },
  'one by a spy': () => {
    const spy = vi.spyOn(process, 'env', 'get').mockReturnValue({ ...OLD, MORE: '1' })
    restoring = () => spy.mockRestore()
  },
  'that of a stubbed process': () => {
    vi.stubGlobal('process', { ...process, env: { ...process.env, MORE: '1' } })
    restoring = () => void vi.unstubAllGlobals()
  },
  'one that was stubbed': () => {
    vi.stubEnv('OPENAI_API_KEY', undefined)
    vi.unstubAllEnvs()
  },
  'a copy that was stubbed': () => {
    process.env = { ...OLD }
    vi.stubEnv('OPENAI_API_KEY', 'sk-other')
    vi.unstubAllEnvs()
  },
  'one whose key is back': () => {
    const key = process.env.OPENAI_API_KEY
    delete process.env.OPENAI_API_KEY
    process.env.OPENAI_API_KEY = key
  },
}

let restoring = (): void => {}
afterEach(() => {
  restoring()
  restoring = () => {}
})

test.for(Object.keys(REPLACED))('%s', async (name) => {
  REPLACED[name]!()
  await ask(name)
})

describe('in a hook before each test', () => {
  beforeEach(() => void (process.env = { ...OLD }))

  test('the client of a test', () => ask('in the test'))

  test('the key that the application reads', async () => {
    const { ANTHROPIC_API_KEY: apiKey } = process.env
    expect(apiKey).toBeTruthy()
    const anthropic = new Anthropic({ apiKey, baseURL: UPSTREAM_URL })
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    const asked = { model: 'claude-haiku-4-5', max_tokens: 9, messages }
    const { content } = await anthropic.messages.create(asked)
    expect(content[0]).toMatchObject({ text: 'You said: Hello' })
  })

  test('that of Amazon', async () => {
    const client = new BedrockRuntimeClient({ endpoint: UPSTREAM_URL })
    const messages = [{ role: 'user' as const, content: [{ text: 'Hello' }] }]
    await client.send(new ConverseCommand({ modelId: 'm', messages }))
  })

  // A program can be slow to start.
  test.for([undefined, {}, COPY, { ...OLD }])('a program, %#', { timeout: 60_000 }, async (env) => {
    const given = env && { PATH: OLD.PATH, UPSTREAM_URL, HOME: OLD.HOME, ...env }
    const key = process.env.RECORD ? { OPENAI_API_KEY: OLD.OPENAI_API_KEY } : {}
    const run = promisify(execFile)(process.execPath, [child, 'A program'], {
      env: given && { ...given, ...key },
    })
    expect((await run).stdout.trim()).toBe('You said: A program')
  })
})

describe('a client made before the test', () => {
  let made: OpenAI
  beforeAll(() => {
    process.env = { ...OLD }
    made = new OpenAI({ baseURL: `${UPSTREAM_URL}/v1` })
  })

  test('answers', () => ask('made before', made))
})

test('every way to read the key shows it', async () => {
  await ask('and reads')
  for (const env of [process.env, named, import.meta.env, { ...process.env }]) {
    expect(env.OPENAI_API_KEY).toBeTruthy()
    if (env === import.meta.env) continue
    expect('OPENAI_API_KEY' in env).toBe(true)
    expect(Object.hasOwn(env, 'OPENAI_API_KEY')).toBe(true)
    expect(Object.keys(env)).toContain('OPENAI_API_KEY')
  }
})

test('what a test writes is there, in all of them', async () => {
  process.env = { ...OLD }
  process.env.OPENAI_API_KEY = 'sk-mine'
  await ask('with a key of its own')
  expect(new OpenAI().apiKey).toBe('sk-mine')
  expect({ ...process.env }.OPENAI_API_KEY).toBe('sk-mine')
  process.env = OLD
  expect(new OpenAI().apiKey).not.toBe('sk-mine')
})
