import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let recorded: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  recorded = newProject()
  recording = await recorded.record()
})

afterAll(() => upstream.stop())

test('recording makes one cassette for each test that asks, and none for the others', () => {
  expect(recording).toMatchObject({ exitCode: 0 })
  expect(recorded.files()).toEqual([
    expect.stringMatching(/^questions\.test\.ts\/asks-one-question-\w+\.json$/),
    expect.stringMatching(/^questions\.test\.ts\/asks-two-questions-\w+\.json$/),
  ])
})

test('replay is the default: nothing is asked and no file is touched', async () => {
  const before = recorded.snapshot()
  const run = await recorded.run()
  expect(run.exitCode, run.output).toBe(0)
  expect(recorded.snapshot()).toEqual(before)
})

test.each([
  ['without options', {}],
  ['with the option mode: new, which means replay there', { OPTIONS: '{"mode":"new"}' }],
])('on CI a request without a cassette fails with the command, %s', async (_, env) => {
  const project = newProject()
  const before = await upstream.count()
  const run = await project.run([], { CI: 'true', ...env })
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('Nothing is recorded for this test')
  expect(run.output).toContain(
    "npx vitest-cassette record questions.test.ts -t '^asks one question$'",
  )
  expect(project.files()).toEqual([])
  expect(await upstream.count()).toBe(before)
})

test('the option mode: new records what is missing where there is no CI', async () => {
  const project = newProject()
  const run = await project.run([], { OPTIONS: '{"mode":"new"}' })
  expect(run.exitCode, run.output).toBe(0)
  expect(project.files()).toHaveLength(2)
})

test('on CI RECORD is refused with the way to override it, and the override records', async () => {
  const project = newProject()
  const before = await upstream.count()
  const refused = await project.record([], { CI: 'true' })
  expect(refused.exitCode).not.toBe(0)
  expect(refused.output).toContain('RECORD=1 is refused because CI is set')
  expect(refused.output).toContain('set RECORD_IN_CI=1')
  expect(project.files()).toEqual([])
  expect(await upstream.count()).toBe(before)

  const overridden = await project.record([], { CI: 'true', RECORD_IN_CI: '1' })
  expect(overridden.exitCode, overridden.output).toBe(0)
  expect(project.files()).toHaveLength(2)
})

test.each(['0', 'false', ''])('CI=%s is no CI, so RECORD records', async (CI) => {
  const project = newProject()
  const run = await project.record(['-t', 'asks one question'], { CI })
  expect(run.exitCode, run.output).toBe(0)
  expect(project.files()).toHaveLength(1)
})

test.each(['plugin', 'import'])(
  'a RECORD that is no mode fails and lists the modes, set up by %s',
  async (SETUP) => {
    const run = await recorded.run([], { RECORD: 'tpyo', SETUP })
    expect(run.exitCode).not.toBe(0)
    expect(run.output).toContain('RECORD=tpyo is not a mode')
    for (const mode of ['RECORD=1', 'RECORD=all', 'RECORD=new', 'RECORD=off', 'RECORD=0'])
      expect(run.output).toContain(mode)
  },
)

test('recording over an old cassette leaves the exchanges of this run alone', async () => {
  const project = newRecordedProject()
  project.edit('questions.test.ts', "await ask('And where?')", "'Odd: And where?'")
  project.edit('questions.test.ts', 'How are you?', 'How do you do?')
  project.edit('questions.test.ts', 'Odd: How are you?', 'Odd: How do you do?')
  const run = await project.record()
  expect(run.exitCode, run.output).toBe(0)
  expect(project.prompts('asks-two-questions')).toEqual(['Who are you?'])
  expect(project.prompts('asks-one-question')).toEqual(['How do you do?'])
  expect(run.output).not.toContain('unused')
})

test('RECORD=new keeps known answers byte for byte and records the missing', async () => {
  const project = newRecordedProject()
  const untouched = project.snapshot('asks-two-questions')
  const known = firstExchange(project.read(project.cassette('asks-one-question')))
  const before = await upstream.count()
  project.edit(
    'questions.test.ts',
    "expect(await ask('How are you?')).toBe('Odd: How are you?')",
    "expect(await ask('How are you?')).toBe('Odd: How are you?')\n  await ask('Sure?')",
  )
  const run = await project.run([], { RECORD: 'new' })
  expect(run.exitCode, run.output).toBe(0)
  expect(await upstream.count()).toBe(before + 1)
  expect(project.prompts('asks-one-question')).toEqual(['How are you?', 'Sure?'])
  expect(firstExchange(project.read(project.cassette('asks-one-question')))).toBe(known)
  expect(project.snapshot('asks-two-questions')).toEqual(untouched)
})

test('RECORD=off asks the provider and touches no file, whatever is recorded', async () => {
  const project = newRecordedProject()
  const files = project.snapshot()
  const before = await upstream.count()
  project.edit('questions.test.ts', "await ask('And where?')", "'Odd: And where?'")
  project.edit('questions.test.ts', "ask('How are you?')", "ask('numbered off')")
  project.edit('questions.test.ts', 'Odd: How are you?', 'Odd: numbered off (1)')
  const run = await project.run([], { RECORD: 'off' })
  expect(run.exitCode, run.output).toBe(0)
  expect(await upstream.count()).toBe(before + 2)
  expect(project.snapshot()).toEqual(files)
})

function newProject(): VitestProject {
  return new VitestProject('modes', { UPSTREAM_URL: upstream.oddUrl })
}

/** A project with the recordings that were made once. */
function newRecordedProject(): VitestProject {
  return new VitestProject(recorded.dir, { UPSTREAM_URL: upstream.oddUrl })
}

/** The lines of the first exchange as they stand in the file, without what follows its last brace. */
function firstExchange(text: string): string {
  const [, exchange] = /\n( {4}\{\n[^]*?\n {4}\}),?\n/.exec(text) ?? []
  if (!exchange) throw new Error('The cassette holds no exchange.')
  return exchange
}
