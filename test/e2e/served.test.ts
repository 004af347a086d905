import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('served', { UPSTREAM_URL: upstream.url })
  recording = await project.record()
})

afterAll(() => upstream.stop())

describe('a call that a server in the process of the tests makes belongs to the test that asked the server', () => {
  test.each([
    ['started by beforeAll', 'before-all.test.ts/asks-first', ['first']],
    ['and to the test that asks itself', 'before-all.test.ts/asks-second', ['second', 'by itself']],
    ['each time it is tried', 'before-all.test.ts/tries-again', ['again']],
    ['started by the test itself', 'lazy-one.test.ts/starts-it', ['one starts']],
    ['started by a test before it', 'lazy-one.test.ts/finds-it', ['one finds', 'one again']],
  ])('%s', (_, path, questions) => expect(project.prompts(path)).toEqual(questions))

  test(
    'calls of hooks of the file, and of tests that run at the same time, belong to the file',
    needs('python3'),
    () => {
      expect(recording.exitCode, recording.output).toBe(0)
      const [first, ...others] = project.prompts('before-all.test.ts/_file.json')
      expect(first).toBe('warm up')
      expect(others.toSorted()).toEqual(['good bye', 'one', 'other'])
    },
  )
})

test(
  'a process that asks for many tests gets the test of each request from its headers',
  needs('python3'),
  () => {
    for (const name of ['Node', 'Python']) {
      const cassettes = project.files().filter((file) => {
        const text = file.startsWith('app-server') ? project.read(`__recordings__/${file}`) : ''
        return text.includes(` of ${name}"`) && !file.includes('_file')
      })
      const prompts = cassettes.map((file) => project.prompts(file.replace(/\.json$/, '')))
      expect(prompts.toSorted()).toEqual(
        ['one', 'other'].map((who) => [
          `question of ${who} of ${name}`,
          `thanks of ${who} of ${name}`,
        ]),
      )
    }
    expect(project.prompts('app-server.test.ts/_file')).toEqual(['no headers of Node'])
  },
)

test('the Python server makes its base URL as the docs say', needs('python3'), () => {
  const docs = readFileSync(`${import.meta.dirname}/../../docs/processes.md`, 'utf8')
  const [, recipe] = /```python\n(def base_url[^]+?)```/.exec(docs)!
  expect(project.read('app_server.py')).toContain(recipe)
})

test(
  'its changed prompt fails the test that asked it, or the file, which names the test that ran',
  needs('python3'),
  async () => {
    const changed = new VitestProject(project.dir)
    changed.edit('app-server.test.ts', '`thanks of', '`many thanks of')
    changed.edit('app-server.test.ts', "'no headers')", "'no test')")
    changed.edit('app-server.test.ts', "toContain('no headers')", "toBeTypeOf('string')")
    const run = await changed.run(['app-server'], { UPSTREAM_URL: 'http://127.0.0.1:2' })
    for (const name of ['Node', 'Python'])
      for (const who of ['one', 'other']) {
        const failure = failureIn(run, `app-server.test.ts > ${name} > asks for ${who}`)
        expect(failure).toContain('CassetteError: The prompt changed')
        expect(failure).toContain(`{+many +}thanks of ${who} of ${name}`)
      }
    const ofFile = failureIn(run, 'app-server.test.ts [')
    expect(ofFile).toContain('running   app-server.test.ts > Node > asks for nobody')
    expect(ofFile).toContain('+ no test of Node')
  },
)

test.each([
  ['with every file for itself', {}],
  ['with isolate: false, where one server serves both files', { ISOLATE: 'false' }],
])('all of it replays with the provider away, %s', async (_, env) => {
  const run = await project.run([], { UPSTREAM_URL: 'http://127.0.0.1:2', ...env })
  expect(run.exitCode, run.output).toBe(0)
})

test('recorded with isolate: false, it replays as well', needs('python3'), async () => {
  const shared = new VitestProject('served', { ISOLATE: 'false' })
  const recorded = await shared.record([], { UPSTREAM_URL: upstream.url })
  expect(recorded.exitCode, recorded.output).toBe(0)
  expect(shared.files()).toEqual(project.files())
  const run = await shared.run([], { UPSTREAM_URL: 'http://127.0.0.1:2' })
  expect(run.exitCode, run.output).toBe(0)
})

test('a changed prompt fails the test that asked', needs('python3'), async () => {
  const changed = new VitestProject(project.dir)
  changed.edit('before-all.test.ts', "'first')", "'the first')")
  changed.edit('lazy-one.test.ts', "'one finds')", "'one is found')")
  const run = await changed.run([], { UPSTREAM_URL: 'http://127.0.0.1:2' })
  expect(run.output).toMatch(/FAIL .*before-all\.test\.ts > asks first\nCassetteError: The prompt/)
  expect(run.output).toMatch(/FAIL .*lazy-one\.test\.ts > finds it .*\nCassetteError: The prompt/)
  expect(run.output).toContain('Tests  2 failed')
})

test(
  'calls that an older release recorded for the file are found there, until they are recorded again',
  needs('python3'),
  async () => {
    const older = new VitestProject(project.dir)
    const cassettes = older.files().filter((file) => file.startsWith('before-all.test.ts/'))
    const [ofFile, ...ofTests] = ['_file', 'asks-first', 'tries-again'].map((name) =>
      cassettes.find((file) => file.includes(`/${name}`))!,
    ) as [string, string, string]
    const read = (file: string) => older.json(`__recordings__/${file}`)
    const whole = read(ofFile)
    for (const file of ofTests) {
      whole.exchanges.push(...read(file).exchanges)
      older.remove(`__recordings__/${file}`)
    }
    whole.exchanges.forEach((exchange: { id: string }, index: number) => {
      exchange.id = `exchange-${index + 1}`
    })
    older.edit('before-all.test.ts', 'retry: 1', 'retry: 0')
    older.edit('before-all.test.ts', 'toBe(2)', 'toBe(1)')
    older.write(`__recordings__/${ofFile}`, JSON.stringify(whole))
    const run = await older.run(['before-all'], { UPSTREAM_URL: 'http://127.0.0.1:2' })
    expect(run.exitCode, run.output).toBe(0)
    const again = await older.record(['before-all'], { UPSTREAM_URL: upstream.url })
    expect(again.exitCode, again.output).toBe(0)
    expect(older.files()).toEqual(project.files())
  },
)
