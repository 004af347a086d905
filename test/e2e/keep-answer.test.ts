import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const NAMES = ['an-agent-calls-a-tool-of-openai', 'an-agent-calls-a-tool-of-anthropic']
const COMMA = { SYSTEM: 'You are brief, and kind.' }

let upstream: Upstream
let cassettes: Record<'recorded' | 'kept' | 'missed' | 'anew', string[]>
let runs: Record<'kept' | 'again' | 'added' | 'turned', Run>
let verified: Record<'kept' | 'anew', Awaited<ReturnType<VitestProject['findings']>>>
let verifying: Run

beforeAll(async () => {
  upstream = await startUpstream()
  const project = new VitestProject('keep-answer', { UPSTREAM_URL: upstream.url })
  const read = (): string[] => NAMES.map((name) => project.read(project.cassette(name)))
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  const recorded = read()
  await upstream.stop()

  const change = { ...COMMA, RECORD: 'prompts' }
  const added = await project.run([], { ...change, EXTRA: 'And when?' })
  const turned = await project.run([], { ...change, TURNED: '1' })
  const missed = read()
  const kept = await project.run([], change)
  const afterKept = read()
  const again = await project.run([], COMMA)
  runs = { kept, again, added, turned }
  const verifiedKept = await project.findings()
  verifying = await project.cli('verify')

  upstream = await startUpstream()
  const afresh = await project.record([], { ...COMMA, UPSTREAM_URL: upstream.url })
  expect(afresh.exitCode, afresh.output).toBe(0)
  verified = { kept: verifiedKept, anew: await project.findings() }
  cassettes = { recorded, kept: afterKept, missed, anew: read() }
})

afterAll(() => upstream.stop())

test('a comma in a system prompt keeps the answers of a tool loop, with no provider', () => {
  expect(runs.kept.exitCode, runs.kept.output).toBe(0)
  expect(runs.kept.output).toContain('4 answers kept for changed prompts')
  expect(runs.again.exitCode, runs.again.output).toBe(0)
  expect(runs.again.output).toContain('4 replayed')
  expect(runs.again.output).not.toContain('kept for')
  for (const [index, text] of cassettes.kept.entries()) {
    expect(text).toContain('brief, and kind')
    expect(text.match(/"kept": true/g)).toHaveLength(2)
    expect(answersOf(text)).toEqual(answersOf(cassettes.recorded[index]!))
  }
})

test('verify lists what was kept, and nothing once it is recorded anew', () => {
  expect(verifying.exitCode, verifying.output).toBe(0)
  const found = verified.kept.map(({ check, severity }) => `${severity} ${check}`)
  expect(found).toEqual(Array(4).fill('warning kept-answers'))
  expect(verified.anew).toEqual([])
  expect(cassettes.anew.join()).not.toContain('"kept"')
})

test('an added message and another order of the tools are misses that change no cassette', () => {
  expect(runs.added.exitCode).toBe(1)
  expect(runs.added.output).toContain('No answer is kept for it: the order of the messages changed')
  expect(runs.turned.exitCode).toBe(1)
  expect(runs.turned.output).toContain('No answer is kept for it: the list of tools changed')
  expect(runs.turned.output).toContain('npx vitest-cassette record')
  expect(cassettes.missed).toEqual(cassettes.recorded)
})

function answersOf(text: string): unknown {
  return JSON.parse(text).exchanges.map(
    ({ wire }: { wire: { response: unknown } }) => wire.response,
  )
}
