import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('outside-tests', { UPSTREAM_URL: upstream.oddUrl })
  recording = await project.record()
})

afterAll(() => upstream.stop())

test('what is asked outside of tests goes to the cassette of the file, hooks of a test to its own', () => {
  expect(recording.output).toContain('Tests  5 passed')
  expect(project.prompts('hooks.test.ts/_file.json')).toEqual([
    'module',
    'beforeAll',
    'beforeAll of the suite',
    'afterAll',
  ])
  const test = ['automatic fixture', 'beforeEach', 'fixture', 'test', 'afterEach', 'onTestFinished']
  expect(project.prompts('hooks.test.ts/asks-in-hooks').toSorted()).toEqual(test.toSorted())
  expect(project.prompts('hooks.test.ts/asks-in-a-suite')).toEqual([
    'automatic fixture',
    'beforeEach',
    'test in a suite',
    'afterEach',
  ])
})

test('a request made after its test ended fails the recording, as it will fail replay, and no other test notices', () => {
  expect(recording.exitCode).toBe(1)
  expect(recording.output).toMatch(
    /FAIL {2}late\.test\.ts \[ late\.test\.ts \]\nCassetteError: 1 request was sent when its test had ended, and is in no cassette/,
  )
  expect(recording.output).toContain('late.test.ts > ends before its request: POST http://')
  expect(project.files().filter((file) => file.startsWith('late.test.ts/'))).toEqual([
    expect.stringContaining('runs-meanwhile'),
  ])
  expect(project.prompts('late.test.ts/runs-meanwhile')).toEqual(['What is early?'])
})

test('-t with RECORD records that test alone again', async () => {
  const before = project.contents()
  project.edit('other.test.ts', "ask('Which file?')", "ask('numbered file')")
  project.edit('other.test.ts', 'Odd: Which file?', 'Odd: numbered file (1)')
  const count = await upstream.count()
  const run = await project.record(['-t', 'asks in another file'])
  expect(run.exitCode, run.output).toBe(0)
  const changed = Object.entries(project.contents()).filter(([file, text]) => before[file] !== text)
  expect(changed.map(([file]) => file)).toEqual([expect.stringContaining('asks-in-another-file')])
  // The module level runs for its file all the same.
  expect(await upstream.count()).toBe(count + 2)
})

test.each([
  ['with every file for itself', {}],
  ['with isolate: false', { ISOLATE: 'false' }],
  ['with isolate: false and the set-up imported', { ISOLATE: 'false', SETUP: 'import' }],
])('all of it replays with the provider away, %s', async (_, env) => {
  const run = await project.run([], { UPSTREAM_URL: 'http://127.0.0.1:2', ...env })
  expect(run.output).toContain('had ended when this request was made')
  expect(run.output).toContain('Tests  5 passed')
  expect(run.output).toContain('FAIL  late.test.ts [ late.test.ts ]')
  expect(run.exitCode).toBe(1)
  const asked = /answers: (.*)\./.exec(run.output)?.[1]?.split(', ')
  expect(asked).toHaveLength(11)
  expect(asked).toContain('Odd: automatic fixture')
})

test('a changed prompt of beforeAll fails the file, one of a fixture the test that needs it', async () => {
  const changed = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  changed.edit('hooks.test.ts', "ask('beforeAll of the suite')", "ask('before the suite')")
  changed.edit('hooks.test.ts', "ask('fixture')", "ask('the fixture')")
  const run = await changed.run(['hooks'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toMatch(/FAIL .*hooks\.test\.ts \]\nCassetteError: The prompt changed/)
  expect(run.output).toMatch(/FAIL .*asks in hooks and fixtures\nCassetteError: The prompt changed/)
})

test('a changed prompt of the module level is explained where the import fails', async () => {
  const changed = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  changed.edit('hooks.test.ts', "ask('module')", "ask('the module')")
  const run = await changed.run(['hooks'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain(
    '[vitest-cassette] The prompt changed: message 1 (user): text edited',
  )
  expect(run.output).toContain('cassette  __recordings__/hooks.test.ts/_file.json')
  expect(run.output).toMatch(/- module\n +\+ the module/)
  expect(run.output).toContain('npx vitest-cassette record hooks.test.ts')
})

test('a fixture of the file belongs to the test that needs it first, or to the file if a hook of the file needs it', async () => {
  const own = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  const write = (hook: string): void =>
    own.write(
      'fixture.test.ts',
      `import { expect, test as base } from 'vitest'
import { ask } from '../ask.ts'

const test = base.extend('persona', { scope: 'file' }, () => ask('persona'))
${hook}
test('greets', async ({ persona }) => void (await ask('greet ' + persona)))
test('parts', async ({ persona }) => void (await ask('part ' + persona)))
`,
    )
  const questions = (name: string): string[] => own.prompts(`fixture.test.ts/${name}`)
  write('')
  await own.record(['fixture'])
  expect(questions('greets')).toEqual(['persona', 'greet Odd: persona'])
  write('test.beforeAll(({ persona }) => void persona)')
  const recorded = await own.record(['fixture'])
  expect(recorded.exitCode, recorded.output).toBe(0)
  expect(questions('_file.json')).toEqual(['persona'])
  expect(questions('greets')).toEqual(['greet Odd: persona'])
  const run = await own.run(['fixture', '-t', 'parts'], { UPSTREAM_URL: 'http://127.0.0.1:2' })
  expect(run.exitCode, run.output).toBe(0)
})

test('what a fixture of the file asks at its end belongs to the file', async () => {
  const own = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  own.write(
    'teardown.test.ts',
    `import { test as base } from 'vitest'
import { ask } from '../ask.ts'

const test = base.extend({
  persona: [
    async ({}, use) => {
      await use(await ask('persona'))
      await ask('leave, persona')
    },
    { scope: 'file' },
  ],
})
test('greets', async ({ persona }) => void (await ask('greet ' + persona)))
test('parts', async ({ persona }) => void (await ask('part ' + persona)))
`,
  )
  const recorded = await own.record(['teardown'])
  expect(recorded.exitCode, recorded.output).toBe(0)
  expect(own.prompts('teardown.test.ts/_file')).toEqual(['leave, persona'])
  for (const args of [[], ['-t', 'greets']]) {
    const run = await own.run(['teardown', ...args], { UPSTREAM_URL: 'http://127.0.0.1:2' })
    expect(run.exitCode, run.output).toBe(0)
  }
})
