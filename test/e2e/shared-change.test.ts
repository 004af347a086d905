import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

/** How many tests each file has: 41 in 9. */
const FILES = { a: 5, b: 5, c: 5, d: 5, e: 5, f: 5, g: 5, h: 5, i: 1 }

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('shared-change', {
    UPSTREAM_URL: upstream.oddUrl,
    OPENAI_API_KEY: 'not-a-key-at-all',
  })
  for (const [name, count] of Object.entries(FILES))
    project.write(
      `${name}.test.ts`,
      `import { suite } from './suite.ts'\n\nsuite('${name}', ${count})\n`,
    )
})

afterAll(() => upstream.stop())

// Each goes on from what the one before has recorded.
describe('41 tests whose instructions are the same', { shuffle: false }, () => {
  test('that nothing is recorded for any of them is told once, with one command for all', async () => {
    const { exitCode, output } = await project.run()
    expect(exitCode).toBe(1)
    expect(output.match(/^ FAIL {2}/gm)).toHaveLength(41)
    expect(output.match(/^CassetteError: /gm)).toHaveLength(1)
    await expectGolden(adviceIn(output), 'nothing-recorded')
    const recording = await record(['--missing'])
    expect(recording, recording.output).toMatchObject({ exitCode: 0, calls: 41 })
  })

  test('one changed word is shown once, counted, and settled by the cheapest command', async () => {
    const { exitCode, output } = await project.run([], { WORD: 'quick' })
    expect(exitCode).toBe(1)
    expect(output.match(/^ FAIL {2}/gm)).toHaveLength(41)
    expect(output.match(/^CassetteError: /gm)).toHaveLength(1)
    expect(output.match(/^ +- Rule 12: be kind\.$/gm)).toHaveLength(1)
    await expectGolden(adviceIn(output), 'one-change')
    expect(output).toMatch(/ {4}Changed {2}message 1 \(system\): .*, in 41 cassettes of 9 files\n/)
    // The names of the tests, and one failure.
    expect(output.split('\n').length).toBeLessThan(160)
  })

  test('other reporters have the changed words for each test', async () => {
    const { tests, output } = await project.runTests(
      ['--reporter=junit', '--outputFile.junit=run.xml', '--reporter=github-actions', 'a', 'b'],
      { WORD: 'quick', GITHUB_ACTIONS: 'true' },
    )
    const headline =
      /The prompt changed: message 1 \(system\): text edited \(.*kind\.?(?:"|&quot;) → .*quick/
    expect(tests).toHaveLength(10)
    for (const { failureMessages } of tests) expect(failureMessages[0]).toMatch(headline)
    expect(output.match(/^::error .*/gm)).toHaveLength(10)
    for (const line of output.match(/^::error .*/gm)!) expect(line).toMatch(headline)
    const failures = project.read('run.xml').match(/<failure message="[^"]*"/g)!
    expect(failures).toHaveLength(10)
    for (const failure of failures) expect(failure).toMatch(headline)
  })

  test('the first command keeps all answers, and asks nobody', async () => {
    const keeping = await record(['--prompts'], { WORD: 'quick' })
    expect(keeping).toMatchObject({ exitCode: 0, calls: 0 })
    expect(keeping.output).toMatch(/ Kept {2}41 /)
    await expectGolden(keeping.output.split('\n\n').at(-1)!, 'kept')
    expect(await project.run([], { WORD: 'quick' })).toMatchObject({ exitCode: 0 })
  })

  test('the second records what misses, and nothing else', async () => {
    expect(await record(['--changed'], { WORD: 'brief' })).toMatchObject({ exitCode: 0, calls: 41 })
    expect(await project.run([], { WORD: 'brief' })).toMatchObject({ exitCode: 0 })
  })

  test('a field that a new version of an SDK sends with everything is one change, kept by one command', async () => {
    const next = { WORD: 'brief', SDK: 'next' }
    const { output } = await project.run([], next)
    expect(output.match(/^CassetteError: /gm)).toHaveLength(1)
    expect(output).toContain('service_tier')
    expect(output).toContain('    npx vitest-cassette record --prompts\n')
    expect(await record(['--prompts'], next)).toMatchObject({ exitCode: 0, calls: 0 })
    expect(await project.run([], next)).toMatchObject({ exitCode: 0 })
    const cassette = project.read(`__recordings__/${project.files()[0]!}`)
    expect(cassette).toContain('"kept": true')
  })

  test('record --kept asks for what was kept, and for nothing else', async () => {
    const next = { WORD: 'brief', SDK: 'next' }
    expect(await record(['--kept', 'a', 'i'], next)).toMatchObject({ exitCode: 0, calls: 6 })
    const nothing = await record(['--kept', 'a'], next)
    expect(nothing).toMatchObject({ exitCode: 0, calls: 0 })
    // A line of progress tells how long it takes.
    await expectGolden(nothing.output.replaceAll(/^.*, \d+ s\n/gm, ''), 'nothing-kept')
    expect(await project.run([], next)).toMatchObject({ exitCode: 0 })
  })

  test('in watch mode, a test runs again when another terminal has recorded it', async () => {
    const env = { WORD: 'calm', SDK: 'next' }
    const watching = project.watch(env)
    await vi.waitUntil(() => /(?:Waiting|Watching) for file changes/.test(watching.output), 60_000)
    watching.output = ''
    const recording = await project.record(['i.test.ts'], env)
    expect(recording.exitCode, recording.output).toBe(0)
    await vi.waitUntil(() => /RERUN[^]*1 passed[^]*Waiting/.test(watching.output), 60_000)
    await watching.stop()
  })

  test('a change of one test beside it is shown for itself', async () => {
    project.edit('i.test.ts', "suite('i', 1)", "suite('another i', 1)")
    const { output } = await project.run([], { WORD: 'quick' })
    expect(output.match(/^CassetteError: /gm)).toHaveLength(2)
    expect(output).toContain('40 tests of 8 files')
    expect(output).toContain("npx vitest-cassette record i.test.ts -t '^question 1$'")
  })

  test('a run of some files names them, and the tests that fail for other reasons', async () => {
    const { output } = await project.run(['a', 'i', 'h'], { WORD: 'quick' })
    await expectGolden(adviceIn(output), 'some-files')
    const whole = await project.run([], { WORD: 'quick' })
    expect(whole.output).toContain(
      'npx vitest-cassette record --changed a.test.ts b.test.ts c.test.ts d.test.ts ',
    )
  })

  test('a test that fails for another reason in the same files is named before their command', async () => {
    const [own, mixed] = ["suite('h', 5)", "suite('h', 4)\nsuite('another h', 5, 5)"]
    project.edit('h.test.ts', own, mixed)
    const { output } = await project.run(['h'], { WORD: 'quick' })
    project.edit('h.test.ts', mixed, own)
    await expectGolden(adviceIn(output), 'another-reason-beside')
  })

  test('the config of a run is a part of the command', async () => {
    project.write('vitest.llm.config.ts', project.read('vitest.config.ts'))
    const { output } = await project.run(['--config', 'vitest.llm.config.ts'], { WORD: 'quick' })
    expect(output).toContain('npx vitest-cassette record --changed --config vitest.llm.config.ts ')
  })

  test('reports for machines give it to each test', async () => {
    await project.run(['--reporter=junit', '--outputFile=junit.xml'], { WORD: 'quick' })
    expect(project.read('junit.xml').match(/ 40 tests of 8 files/g)).toHaveLength(40)
  })

  test('a shared rule is one change, whatever each test says around it', async () => {
    const env = { WORD: 'calm', SDK: 'next', OWN: 'yes' }
    const recording = await record([], env)
    expect(recording.exitCode, recording.output).toBe(0)
    const { output } = await project.run([], { ...env, WORD: 'quick' })
    expect(output.match(/^CassetteError: /gm)).toHaveLength(1)
    expect(output).toContain('41 tests of 9 files')
  })

  test('in a recording, an error that is not about their prompts is shown once', async () => {
    const offline = await record([], { UPSTREAM_URL: 'http://127.0.0.1:9' })
    expect(offline.output.match(/^CassetteError: /gm)).toHaveLength(1)
    expect(codesOfFailures()).toEqual({ 'recording-failed': 41 })
    expect(offline.output).toContain('41 tests of 9 files')
    expect(offline.output).not.toMatch(/Changed  |no LLM call came/)
    const capped = await record(['--max-cost', '0.00001'])
    expect(capped.output.match(/^CassetteError: /gm)).toHaveLength(1)
    expect(codesOfFailures()).toEqual({ 'recording-refused': 41 })
    expect(capped.output).toContain('41 tests of 9 files')
    expect(capped.output).toMatch(/^41 calls .*--max-cost/m)
  })
})

async function record(
  args: string[],
  env: Record<string, string> = {},
): Promise<Run & { calls: number }> {
  const before = await upstream.count()
  const run = await project.cli(`record ${args.join(' ')}`, env)
  return { ...run, calls: (await upstream.count()) - before }
}

/** What the failures of a run advise: their parts with a command. */
function adviceIn(output: string): string {
  const [, ...failures] = output.split('\nCassetteError: ')
  const parts = failures.flatMap((text) => text.slice(0, text.indexOf('\n ❯ ')).split('\n\n'))
  return parts.filter((part) => part.includes('npx vitest-cassette')).join('\n\n')
}

/** How many tests of the last run failed with each code. */
function codesOfFailures(): Record<string, number> {
  const { tests } = project.json('node_modules/.cache/vitest-cassette/failures.json')
  const codes = Map.groupBy(tests, ({ code }: any) => code as string)
  return Object.fromEntries(Array.from(codes, ([code, all]) => [code, all.length]))
}
