import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { recordAgent } from '../conversation/example-agent.ts'
import { chatWire } from '../conversation/example-wires.ts'
import { expectGolden } from '../golden.ts'
import { CliProject } from './run-cli.ts'

const PATH = 'talk.test.ts/asks-0123456789.json'
const FILE = `__recordings__/${PATH}`

const TALK = [
  { prompt: { text: 'Do I need a hat?', metadata: { model: 'gpt-5' } }, response: CALL() },
  { prompt: { text: 'Do I need a hat?' }, response: { text: 'Yes.', reasoning: 'It rains.' } },
  { prompt: { text: 'And an umbrella?' }, response: { text: 'No.' } },
]

function CALL(): object {
  return { tool_calls: [{ tool_name: 'weather', parameters: { city: 'Ulm' }, result: 'Rain.' }] }
}

function openProject(...exchanges: object[]): CliProject {
  const project = new CliProject()
  mkdirSync(dirname(join(project.root, FILE)), { recursive: true })
  const head = { version: '1.0', conversation_id: 'talk.test.ts > asks' }
  const file = { ...head, timestamp: '2026-01-01T00:00:00.000Z', exchanges }
  writeFileSync(join(project.root, FILE), JSON.stringify(file))
  return project
}

test('what a person wrote is listed and shown as one conversation', async () => {
  using project = openProject(...TALK)
  expect((await project.run('show')).out).toMatch(/asks-0123456789\.json +3 +2 +1 +gpt-5/)
  const { code, out } = await project.run('show', 'asks', '--no-emoji')
  expect(code).toBe(0)
  expect(out.match(/Do I need a hat\?/g)).toHaveLength(1)
  expect(out).toMatch(/weather \(city: Ulm\)\n.*Rain\.[^]*Yes\.[^]*It rains\.[^]*umbrella[^]*No\./)
})

test('a written cassette cost nothing, and has no tokens but those that were written', async () => {
  const usage = { input_tokens: 10, output_tokens: 5 }
  using project = openProject(...TALK, {
    prompt: { text: 'a', metadata: { model: 'gpt-5' } },
    response: { text: 'b', usage },
  })
  const { total } = JSON.parse((await project.run('show', '--stats', '--json')).out) as {
    total: object
  }
  expect(total).toMatchObject({ exchanges: 4, inputTokens: 10, outputTokens: 5 })
  expect(total).toMatchObject({ cost: 0, unpriced: 0, unknownModels: [] })
})

test('a written cassette is a context, and messages for every provider', async () => {
  using project = openProject(...TALK)
  const context = JSON.parse((await project.run('show', 'asks', '--format', 'context')).out) as [
    { role: string },
  ]
  expect(context.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'assistant',
    'user',
    'assistant',
  ])
  for (const format of ['openai-chat', 'openai-responses', 'anthropic-messages']) {
    const { code, out } = await project.run('history', 'resume', 'asks', '--for', format)
    expect(code).toBe(0)
    expect(out.match(/Rain\./g)).toHaveLength(1)
  }
})

test('a written exchange goes to the store and back, beside what was recorded', async () => {
  using project = openProject(...TALK, { id: 'farewell', prompt: { text: 'a' }, response: CALL() })
  await project.run('history', 'export', '--store', 'store')
  rmSync(join(project.root, '__recordings__'), { recursive: true })
  expect(await project.run('import', '--store', 'store')).toMatchObject({ code: 0, problems: '' })
  const { exchanges } = JSON.parse(readFileSync(join(project.root, FILE), 'utf8')) as {
    exchanges: object[]
  }
  expect(exchanges).toEqual([...TALK, { id: 'farewell', prompt: { text: 'a' }, response: CALL() }])
})

test('exchanges with ids of their own come back from the store, each with its own lines', async () => {
  using project = new CliProject()
  const cassette = recordAgent(chatWire, [
    { question: 'one', arguments: {}, result: 'result', answer: 'first' },
    { question: 'two', arguments: {}, result: 'other', answer: 'second' },
  ])
  for (const [index, exchange] of cassette.exchanges.entries()) exchange.id = `turn-${index}`
  await project.save(PATH, cassette)
  const text = readFileSync(join(project.root, FILE), 'utf8')
  await project.run('history', 'export', '--store', 'store')
  rmSync(join(project.root, '__recordings__'), { recursive: true })
  const [file] = globSync('store/*/*/messages.jsonl', { cwd: project.root })
  const lines = readFileSync(join(project.root, file!), 'utf8').trim().split('\n')
  const messages = lines.map((line) => JSON.parse(line) as { role: string; content: string })
  expect(messages.map(({ role, content }) => `${role}: ${content}`.trim())).toEqual([
    'user: one',
    'assistant:',
    'tool: result',
    'assistant: first',
    'user: two',
    'assistant:',
    'tool: other',
    'assistant: second',
  ])
  await project.run('import', '--store', 'store')
  expect(readFileSync(join(project.root, FILE), 'utf8')).toBe(text)
})

test('a file that lies anywhere becomes the cassette of a test', async () => {
  using project = openProject()
  const head = {
    version: '1.0',
    conversation_id: 'talk.test.ts > hats',
    timestamp: '2026-01-01T00:00:00Z',
  }
  const write = (exchanges: object[]): void =>
    writeFileSync(join(project.root, 'talk.json'), JSON.stringify({ ...head, exchanges }))
  write(TALK)
  const { code, out } = await project.run('import', 'talk.json', '--test', 'a.test.ts > hats')
  expect(code).toBe(0)
  expect(out).toMatch(/^__recordings__\/a\.test\.ts\/hats-[0-9a-f]{10}\.json\n$/)
  const imported = JSON.parse(readFileSync(join(project.root, out.trim()), 'utf8')) as object
  expect(imported).toMatchObject({ conversation_id: 'a.test.ts > hats', exchanges: TALK })
  expect((await project.run('import', 'talk.json')).out).toContain(
    '__recordings__/talk.test.ts/hats-',
  )
  write([{ prompt: { text: 'a' } }])
  const refused = await project.run('import', 'talk.json', '--test', 'b.test.ts > b')
  expect(refused.code).not.toBe(0)
  expect(refused.problems).toMatch(/talk\.json.* \/exchanges\/0\/response: /)
  await expectGolden(refused.problems, 'missing-field')
})
