import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../src/tools/rehearse/report.ts'
import { expectGolden } from '../golden.ts'
import { VitestProject } from './vitest-project.ts'

const emitters = fileURLToPath(new URL('../../emitters/', import.meta.url))

/** The provider that answered when the traces were made, as the new model. */
let provider: ChildProcess
let url: string

beforeAll(async () => {
  provider = fork(join(emitters, 'provider.ts'), {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [port] = (await once(provider.stdout!, 'data')) as [Buffer]
  url = `http://127.0.0.1:${port.toString().trim()}/v1`
})

afterAll(() => provider.kill())

async function open(trace: string): Promise<VitestProject> {
  const project = new VitestProject('traced')
  cpSync(join(emitters, 'captured', `${trace}.jsonl`), join(project.dir, 'trace.jsonl'))
  return project
}

function importTrace(project: VitestProject) {
  return project.cli(`import trace.jsonl --test 'refund.test.ts > refunds a lamp' --write`)
}

test.for([
  ['langfuse-openai-chat.plain', 'chat/completions'],
  ['openinference-anthropic.stream', 'chat/completions'],
  ['ai-sdk-6.plain', 'messages'],
  ['langsmith-openai-responses.plain', 'messages'],
] as const)('the prompts of the trace %s are asked at %s', async ([trace, path]) => {
  const project = await open(trace)
  await importTrace(project)
  const before = project.contents()
  const said = await project.cli(`rehearse --model other --endpoint ${url}/${path}`)
  expect(said, said.output).toMatchObject({ exitCode: 0 })
  expect(said.output).toContain('4 answers: 4 the same')
  expect(project.contents()).toEqual(before)
})

test('an answer that was another one in the trace is shown beside that of the model', async () => {
  const project = await open('langfuse-openai-chat.plain')
  const trace = project.read('trace.jsonl')
  expect(trace).toContain('You get 40 euros back')
  await importTrace(project)
  const [file] = project.files()
  const cassette = project.read(`__recordings__/${file!}`)
  project.write(`__recordings__/${file!}`, cassette.replaceAll('"refund"', '"give_a_voucher"'))
  const said = await project.cli(`rehearse --model other --endpoint ${url}/chat/completions`)
  expect(said, said.output).toMatchObject({ exitCode: 1 })
  expect(said.output).toMatch(/recorded +give_a_voucher[^]*now +refund/)
})

test('a trace that lacks something is asked without it, or not at all, and says so', async () => {
  const project = await open('otel-openai-chat.plain')
  await importTrace(project)
  const command = `rehearse --model other --endpoint ${url}/chat/completions --json 2>/dev/null`
  const { exitCode, output } = await project.cli(command)
  expect(exitCode, output).toBe(0)
  const { leftOut } = JSON.parse(output) as Pick<Report, 'leftOut'>
  await expectGolden(leftOut.map((one) => `${one.exchange}: ${one.why}`).join('\n'), 'left-out')
})

test('nobody is asked who is not named, and nothing is sent to an unknown place', async () => {
  const project = await open('langfuse-openai-chat.plain')
  await importTrace(project)
  const unnamed = await project.cli('rehearse')
  expect(unnamed.output).toMatch(/ --model\b/)
  const unknown = await project.cli('rehearse --model llama-9')
  expect(unknown.output).toMatch(/\bllama-9 .* --endpoint /)
  const keyless = await project.cli('rehearse --model claude-9')
  expect(keyless).toMatchObject({ exitCode: 2 })
  expect(keyless.output).toContain('ANTHROPIC_API_KEY is not set, the key of anthropic (4 calls)')
})
