import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CliProject } from '../tools/run-cli.ts'
import { expectGolden } from '../golden.ts'
import { CONSOLE, CONTEXT, HISTORY } from './documents.ts'

const TEST = 'aya.test.ts > suggests'
const WIDE = ['--width', '200', '--full']

type Entry = Record<string, unknown> & { content: object }
const example = JSON.parse(CONTEXT) as [Entry, Entry, Entry, Entry]

function write(project: CliProject, file: string, value: unknown): void {
  mkdirSync(dirname(join(project.root, file)), { recursive: true })
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  writeFileSync(join(project.root, file), text)
}

/** What comes out again of a context that was imported. */
async function throughCassette(context: unknown): Promise<string> {
  using project = new CliProject()
  write(project, 'aya.json', context)
  const { code, problems } = await project.run('import', 'aya.json', '--test', TEST)
  expect(problems).toBe('')
  expect(code).toBe(0)
  return (await project.run('show', 'suggests', '--format', 'context')).out
}

const compact = (text: string): string => JSON.stringify(JSON.parse(text))

test('the example of the description comes out again equal, byte for byte up to layout', async () => {
  expect(compact(await throughCassette(CONTEXT))).toBe(compact(CONTEXT))
})

const question = {
  index: 4,
  turn: 1,
  timestamp: '2023-04-04T12:34:00Z',
  role: 'user',
  content: { userid: '<@U1234546>', text: 'And for tomorrow?' },
}

test.for<[what: string, context: unknown[]]>([
  ['ends with a question', [...example, question]],
  [
    'has fields that nobody knows',
    example.map((entry) => ({ mood: 'calm', ...entry, channel: { id: 1.5 } })),
  ],
  [
    'gives its reason by another name',
    example.map(({ content, ...entry }) => {
      const { reasoning, ...others } = content as { reasoning?: string }
      const isText = typeof content === 'string' || reasoning === undefined
      return { ...entry, content: isText ? content : { ...others, reason: reasoning } }
    }),
  ],
  [
    'ends the request',
    [
      ...example,
      {
        index: 4,
        turn: 1,
        timestamp: '2023-04-04T12:33:40Z',
        role: 'assistant',
        content: { toolCall: 'finishRequest' },
      },
    ],
  ],
])('a context that %s comes out again equal', async ([, context]) => {
  expect(compact(await throughCassette(context))).toBe(JSON.stringify(context))
})

test('numbers come out in their own spelling', async () => {
  const spelled = CONTEXT.replace('"ascending": false', '"limit": 1.0')
  expect(await throughCassette(spelled)).toContain('"limit": 1.0')
})

test('show displays a context as the description does, without importing it', async () => {
  using project = new CliProject()
  write(project, 'aya.json', CONTEXT)
  const { code, out } = await project.run('show', 'aya.json', ...WIDE)
  expect(out).toBe(`aya\naya.json, recorded 2023-04-04T12:33:30Z\n\n${CONSOLE}\n`)
  expect(code).toBe(0)
})

test('the cassette of it is displayed so too, and says what is not compared', async () => {
  using project = new CliProject()
  write(project, 'aya.json', CONTEXT)
  await project.run('import', 'aya.json', '--test', TEST)
  const { out } = await project.run('show', 'suggests', ...WIDE)
  expect(out).toContain(`\n\n${CONSOLE}\n\n`)
  await expectGolden(out.slice(out.indexOf(CONSOLE) + CONSOLE.length).trim(), 'not-compared')
})

test('the calls with which a model speaks and stops have marks of their own, and their parameters', async () => {
  using project = new CliProject()
  const [system, user, , says] = example
  const finish = { toolCall: 'finishRequest', status: 'done', tries: 2, reason: 'It was enough.' }
  const posts = { ...says.content, channel: 'C7' }
  write(project, 'aya.json', [
    system,
    { ...user, content: { userid: 'U1', text: 'Hi' } },
    { ...says, index: 2, content: posts },
    { ...says, index: 3, content: finish },
    { ...question, content: { userid: '<@U1|ada>', text: 'Bye' } },
  ])
  const { out } = await project.run('show', 'aya.json', ...WIDE)
  expect(out).toContain('👤 User <@U1> [Turn 0]\n')
  expect(out).toContain('👤 User <@U1|ada> [Turn 1]\n')
  expect(out).toMatch(
    /💬 postMessage \(channel: C7\):\n {3}"Here are .*Vegetable curry"\n {3}└─ Re/,
  )
  expect(out).toContain('✅ finishRequest (status: done, tries: 2)\n   └─ Reason: It was enough.\n')
})

test('a context, a history and a stored conversation are shown where they lie', async () => {
  using project = new CliProject()
  write(project, 'a/aya.json', CONTEXT)
  write(project, 'a/talk.json', HISTORY)
  const line = { role: 'user', content: 'Where is it?', timestamp: '2026-01-01T00:00:00Z' }
  write(project, 'a/stored/one/messages.jsonl', `${JSON.stringify(line)}\n`)
  const { code, out } = await project.run('show', 'a/aya.json', 'a/talk.json', 'a/stored/one')
  expect(out).toContain('> Suggest lunch options please.')
  expect(out).toContain('> The exact prompt text sent to the LLM')
  expect(out).toContain('🔧 example_tool (param1: value1)\n✅ Tool execution result\n')
  expect(out).toContain('> Where is it?')
  expect(code).toBe(1) // The metadata of the last one is missing, which is said.
  const again = await project.run('show', 'a/stored/one/messages.jsonl', '--format', 'context')
  expect(JSON.parse(again.out)).toMatchObject([{ content: 'Where is it?' }])
})

test('a context goes into a history, and what is not answered into a request', async () => {
  using project = new CliProject()
  write(project, 'aya.json', example.slice(0, 2))
  const refused = await project.run('import', 'aya.json', '--test', TEST)
  expect(refused.problems).toContain('history resume')
  await expectGolden(refused.problems, 'nothing-is-answered')
  const { out } = await project.run('history', 'resume', 'aya.json', '--for', 'openai-chat')
  expect(JSON.parse(out)).toMatchObject({ messages: [{ role: 'system' }, { role: 'user' }] })
  write(project, 'aya.json', CONTEXT)
  const history = JSON.parse(
    (await project.run('show', 'aya.json', '--format', 'history')).out,
  ) as { exchanges: Array<{ response: { text: string; tool_calls: object[] } }> }
  expect(history.exchanges.map(({ response }) => response.tool_calls)).toEqual([
    [{ tool_name: 'getThreadHistory', parameters: { ascending: false } }],
    [{ tool_name: 'postMessage', parameters: { text: expect.any(String) as string } }],
  ])
})

test('the model and the provider that are named at the import are kept, and have to be asked', async () => {
  using project = new CliProject()
  write(project, 'aya.json', CONTEXT)
  const words = ['import', 'aya.json', '--test', TEST, '--model', 'claude-sonnet-5']
  const { out } = await project.run(...words, '--url', 'https://api.anthropic.com/v1/messages')
  const text = readFileSync(join(project.root, out.trim()), 'utf8')
  const metadata = { model: 'claude-sonnet-5', provider: 'anthropic' }
  expect(JSON.parse(text)).toMatchObject({ exchanges: [{ prompt: { metadata } }, {}] })
  const shown = await project.run('show', 'suggests')
  await expectGolden(shown.out.trim().split('\n').at(-1)!, 'compared-with-the-model')
  const refused = await project.run(...words, '--force', '--url', 'anthropic')
  expect(refused.problems).toContain('--url anthropic ')
  await expectGolden(refused.problems, 'no-address')
})

test('a context that is saved as a cassette is refused with the command that makes one of it', async () => {
  using project = new CliProject()
  const file = '__recordings__/aya.test.ts/suggests-0123456789.json'
  write(project, file, CONTEXT)
  const refused = await project.run('show', 'suggests')
  expect(refused.problems).toContain(`history import ${file} --force`)
  expect((await project.run('import', file, '--force')).code).toBe(0)
  const text = readFileSync(join(project.root, file), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ conversation_id: 'aya.test.ts > suggests' })
})
