import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const captured = fileURLToPath(new URL('../../emitters/captured/', import.meta.url))
const TEST = `'refund.test.ts > refunds a lamp'`

function open(trace: string, env: Record<string, string> = {}): VitestProject {
  const project = new VitestProject('traced', env)
  cpSync(join(captured, `${trace}.jsonl`), join(project.dir, 'trace.jsonl'))
  return project
}

test.for(['langfuse-openai-chat.plain', 'otel-openai-chat.plain', 'ai-sdk-6.plain'])(
  'the trace %s becomes the cassette of a test, which replays offline and notices a changed word',
  async (trace) => {
    const project = open(trace)
    const planned = await project.cli(`import trace.jsonl --test ${TEST} --json 2>/dev/null`)
    expect(planned, planned.output).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(planned.output)).toMatchObject({
      traces: [{ calls: 4, test: 'refund.test.ts > refunds a lamp' }],
    })
    expect(project.files()).toEqual([])

    const written = await project.cli(`import trace.jsonl --test ${TEST} --write`)
    expect(written, written.output).toMatchObject({ exitCode: 0 })
    expect(written.output).toContain('1 of your 1 test passes offline.')
    expect(project.files()).toHaveLength(1)
    expect(await project.findings()).toEqual([])
    expect(project.files('node_modules/.cache/vitest-cassette/journal')).toEqual([])

    const { exitCode, output } = await project.runEdited('agent.ts', 'You decide', 'They decide')
    expect(exitCode).toBe(1)
    expect(output).toMatch(/\[-You-\] decide on refunds[^]*\{\+They\+\} decide/)
  },
)

test('a prompt that is another one today is told at once, with its diff', async () => {
  const project = open('langfuse-openai-chat.plain')
  project.edit('agent.ts', 'You decide', 'They decide')
  const command = `import trace.jsonl --test ${TEST} --write 2>/dev/null`
  const { exitCode, output } = await project.cli(command)
  expect(exitCode).toBe(1)
  expect(output).toMatch(/\{\+They\+\} decide/)
  expect(output).toContain('npx vitest-cassette record --new refund.test.ts')
  await expectGolden(output, 'another-prompt')
})

test('a test to start with is written beside its cassette, and fails until it calls the application', async () => {
  const project = open('langfuse-openai-chat.plain')
  const words = `import trace.jsonl --write-test tests/lamp.test.ts --test 'lamps > come back'`
  const planned = await project.cli(words)
  expect(planned, planned.output).toMatchObject({ exitCode: 0 })
  expect(project.files('tests')).toEqual([])

  const written = await project.cli(`${words} --write`)
  expect(written, written.output).toMatchObject({ exitCode: 0 })
  expect(written.output).toContain('npx vitest run tests/lamp.test.ts')
  const failing = await project.run(['tests/lamp.test.ts'])
  expect(failing.exitCode).toBe(1)
  expect(failing.output).toMatch(/Error: .*: My lamp from order 1042/)

  project.edit('tests/lamp.test.ts', `import {`, `import { runAgent } from '../agent.ts'\nimport {`)
  project.edit(
    'tests/lamp.test.ts',
    /await Promise.reject.*$/m.exec(project.read('tests/lamp.test.ts'))![0],
    `await runAgent(...[question, 'When will it arrive?'])`,
  )
  const { exitCode, output } = await project.run(['tests/lamp.test.ts'])
  expect(exitCode, output).toBe(0)

  const before = project.read('tests/lamp.test.ts')
  const again = await project.cli(`${words} --write --force`)
  expect(again.exitCode).toBe(2)
  expect(again.output).toContain("--test 'tests/lamp.test.ts > <title>'")
  expect(project.read('tests/lamp.test.ts')).toBe(before)
})

test('a test that there is not is refused, with those that it may be', async () => {
  const project = open('langfuse-openai-chat.plain')
  const { exitCode, output } = await project.cli(
    `import trace.jsonl --test 'refund.test.ts > refunds a lump'`,
  )
  expect(exitCode).toBe(2)
  expect(output).toMatch(/\n {2}refund\.test\.ts > refunds a lamp\n.* --write-test <file>\n/)
})

test.for<[step: string, from: string, to: string, output: string[], exchanges: number]>([
  [
    'the third step, as a tool gives another result',
    `'refunded'`,
    `'refused'`,
    // This provider calls a tool once more.
    ['2 replayed | 3 recorded', 'exchange-3, 2 '],
    5,
  ],
  [
    'the first, as the instructions are others',
    'You decide',
    'They decide',
    ['  4 recorded\n', 'exchange-1, 4 '],
    4,
  ],
])('with RECORD=new, the model goes on from %s', async ([, from, to, said, exchanges]) => {
  const upstream = await startUpstream()
  try {
    const project = open('langfuse-openai-chat.plain', { UPSTREAM_URL: upstream.url })
    const written = await project.cli(`import trace.jsonl --test ${TEST} --write`)
    expect(written, written.output).toMatchObject({ exitCode: 0 })
    project.edit('agent.ts', from, to)
    expect((await project.run()).exitCode).toBe(1)
    const { exitCode, output } = await project.run([], { RECORD: 'new', ANY_ANSWER: '1' })
    expect(exitCode, output).toBe(0)
    for (const text of said) expect(output).toContain(text)
    const again = await project.run([], { ANY_ANSWER: '1' })
    expect(again.exitCode, again.output).toBe(0)
    expect(again.output).toContain(`${exchanges} replayed`)
    expect(project.exchanges('refunds-a-lamp')).toHaveLength(exchanges)
  } finally {
    await upstream.stop()
  }
})
