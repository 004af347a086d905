import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const VITEST = 'node ../../../../node_modules/vitest/vitest.mjs run'

let upstream: Upstream
let project: VitestProject
let summaries: Record<'recording' | 'replay' | 'changed' | 'new' | 'nothing', string>

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('summary', { UPSTREAM_URL: upstream.oddUrl })
  summaries = {
    recording: summaryOf(await project.record()),
    replay: summaryOf(await project.run()),
    changed: summaryOf(await project.run([], { CHANGED: '1' })),
    new: summaryOf(await project.run([], { CHANGED: '1', RECORD: 'new' })),
    nothing: summaryOf(await project.run(['-t', 'asks nothing'])),
  }
})

afterAll(() => upstream.stop())

test('recording: how many tests asked and how many exchanges were recorded', () => {
  expect(summaries.recording).toBe('  Cassettes  3 tests\n  Exchanges  5 recorded\n')
})

test('replay: what was replayed, and the calls, tokens, money and time that it saved', () => {
  expect(summaries.replay).toMatch(
    /^ {2}Cassettes {2}3 tests\n {2}Exchanges {2}5 replayed\n {6}Saved {2}5 calls, 158 tokens, \$0\.0\d\d\d, \d+\.\d s of waiting\n$/,
  )
})

test('a changed prompt: what was missed, and what was not asked for', () => {
  expect(summaries.changed).toContain('  Exchanges  3 replayed | 1 missed | 1 unused\n')
})

test('a changed prompt: without a terminal, the run ends with one line for programs, but not on CI', async () => {
  const lineIn = (text: string) => /^\[vitest-cassette\] (\{.*\})$/m.exec(text)?.[1]
  const line = lineIn(summaries.changed)!
  expect(line.length).toBeLessThan(1000)
  const details = 'node_modules/.cache/vitest-cassette/failures.json'
  expect(JSON.parse(line)).toMatchObject({
    event: 'misses',
    failed: 2,
    kinds: { changed: 1, unused: 1 },
    tests: [
      { code: 'miss', kind: 'changed', headline: expect.any(String) },
      { code: 'unused', headline: 'Not asked for: 1 of 2 recorded exchanges' },
    ],
    commands: { review: 'npx vitest-cassette diff --json' },
    details,
  })
  expect(line).not.toContain('"missed"')
  await project.run([], { CHANGED: '1' })
  expect(JSON.parse(project.read(details))).toMatchObject({
    event: 'misses',
    tests: [
      {
        code: 'miss',
        misses: 1,
        kind: 'changed',
        missed: [{ exchange: 'exchange-1', changes: [{ before: 'What?', after: 'Who?' }] }],
      },
      { code: 'unused', unused: 1, headline: 'Not asked for: 1 of 2 recorded exchanges' },
    ],
    commands: { review: 'npx vitest-cassette diff --json' },
    skill: expect.stringContaining('skills/vitest-cassette/SKILL.md'),
  })
  expect(lineIn(summaries.replay)).toBeUndefined()
  // The prompts that changed are the recorded ones by now.
  const onCi = await project.run([], { CI: '1' })
  expect(onCi.exitCode).toBe(1)
  expect(lineIn(onCi.output)).toBeUndefined()
  const asked = await project.run([], { CI: '1', VITEST_CASSETTE_JSON: '1' })
  expect(JSON.parse(lineIn(asked.output)!)).toHaveProperty('tests')
})

test(
  'the line tells of every failure of this package, with its code, and keeps the scope of the run',
  needs('python3'),
  async () => {
    const own = new VitestProject(project.dir)
    own.write(
      'fails.test.ts',
      `import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

const asking = "import os, urllib.request as r\\ntry: r.urlopen(r.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', b'{\\"model\\": \\"m\\", \\"messages\\": []}', {'content-type': 'application/json'}))\\nexcept Exception: pass"
test('fails: waits', () => void execFileSync('python3', ['-c', asking]))
test('fails: child', async () => void (await once(spawn('python3', ['-c', asking, 'cats']), 'exit')))
test('fails: late', () => void setTimeout(() => void ask('late').catch(() => {}), 1))
test('other', () => new Promise((done) => setTimeout(done, 200)))
`,
    )
    const whole = { VITEST_CASSETTE_JSON: '1' }
    const run = await own.run(['fails', '-t', 'fails|other', '--retry=0'], whole)
    const line = JSON.parse(/^\[vitest-cassette\] (\{.*\})$/m.exec(run.output)![1]!)
    const codes = line.tests.map(({ test, code }: { test: string; code: string }) => [test, code])
    expect(codes).toEqual([
      ['fails.test.ts', 'miss'],
      ['fails.test.ts > fails: waits', 'refused'],
      ['fails.test.ts > fails: child', 'miss'],
    ])
    expect(line.tests[2].missed[0].askedBy).toMatch(/^python3 -c .*….* cats$/)
    expect(line.commands.missing).toContain("fails.test.ts -t 'fails|other'")
  },
)

test('mode new: what was replayed and what was recorded', () => {
  expect(summaries.new).toContain('  Exchanges  3 replayed | 1 recorded')
})

test('a run that asks no model has no summary', () => {
  expect(summaries.nothing).toBe('')
})

test('the summary is not part of what a reporter writes to standard output', async () => {
  const { output } = await project.shell(`${VITEST} -t 'asks as ever' --reporter=tap-flat > stdout`)
  expect(output).toContain('Cassettes  1 test')
  expect(project.read('stdout')).toMatch(/^TAP version 13\n1\.\.4\n(?:ok .*\n){4}$/)
})

/** The lines of a run behind Vitest's own summary. */
function summaryOf({ output }: { output: string }): string {
  const start = output.indexOf('  Cassettes  ')
  return start < 0 ? '' : output.slice(start).replace(/\n+$/, '\n')
}
