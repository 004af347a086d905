import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordAgent, type AgentTurn } from '../conversation/example-agent.ts'
import { chatWire } from '../conversation/example-wires.ts'
import { expectGolden } from '../golden.ts'
import { CliProject } from './run-cli.ts'

const turns: AgentTurn[] = ['one', 'two'].map((name) => ({
  question: `question ${name}`,
  arguments: { name },
  result: `result ${name}`,
  answer: `answer ${name}`,
}))

const AGENT = 'agent.test.ts/answers-0123456789.json'

/** The folder of the one workspace of a store. */
function workspaceIn(project: CliProject): string {
  return join(project.root, 'store', readdirSync(join(project.root, 'store'))[0]!)
}

test('what a cassette holds beside its exchanges comes back from a store as well', async () => {
  using project = new CliProject()
  const head = {
    params: { orderId: 'ord-4711' },
    proposedParams: { customer: 'Ada' },
    oldestAnswer: '2025-01-01T00:00:00.000Z',
    invalid: { since: '2026-01-02T00:00:00.000Z', reason: 'the tool is gone' },
  }
  await project.save(AGENT, { ...recordAgent(chatWire, turns), ...head })
  const file = join(project.root, '__recordings__', AGENT)
  const before = readFileSync(file, 'utf8')
  await project.run('history', 'export', '--store', 'store')
  rmSync(file)
  expect((await project.run('import', '--store', 'store')).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('tests of one name in two packages are imported each into its own folder', async () => {
  using project = new CliProject()
  const packages = ['a', 'b'].map((name) => `packages/${name}/__recordings__`)
  for (const [index, dir] of packages.entries())
    await project.saveIn(dir, AGENT, recordAgent(chatWire, turns.slice(index)))
  const read = (): string[] =>
    packages.map((dir) => readFileSync(join(project.root, dir, AGENT), 'utf8'))
  const before = read()
  await project.run('history', 'export', '--store', 'store')
  for (const dir of packages) rmSync(join(project.root, dir), { recursive: true })
  const refused = await project.run('import', '--store', 'store')
  expect(refused.code).toBe(2)
  expect(refused.problems).toContain(`__recordings__/${AGENT}`)
  await expectGolden(refused.problems, 'one-cassette')
  expect(existsSync(join(project.root, '__recordings__'))).toBe(false)
  for (const [index, dir] of packages.entries()) {
    const name = readdirSync(workspaceIn(project)).filter((one) => one.includes('answers'))[index]!
    expect((await project.run('import', name, '--store', 'store', '--dir', dir)).code).toBe(0)
  }
  expect(read().toSorted()).toEqual(before.toSorted())
})

test('resume warns of pictures that its messages only name', async () => {
  using project = new CliProject()
  const screenshot = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')
  await project.save(AGENT, recordAgent(chatWire, [{ ...turns[0]!, screenshot }]))
  const { code, problems } = await project.run('history', 'resume', AGENT, '--for', 'openai-chat')
  expect(code).toBe(0)
  expect(problems).toContain(' 1 attachment ')
  await expectGolden(problems, 'attachments')
})
