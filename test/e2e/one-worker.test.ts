import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, toldPeople, VitestProject, type Run } from './vitest-project.ts'

/** Nobody answers there. */
const AWAY = { UPSTREAM_URL: 'http://127.0.0.1:2' }

let upstream: Upstream
let project: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('one-worker', { UPSTREAM_URL: upstream.oddUrl })
  recording = await project.record()
})

afterAll(() => upstream.stop())

test('what a module goes on to ask is in the cassette of its file, what a shared loop asks in that of who waits', () => {
  expect(recording.exitCode, recording.output).toBe(0)
  expect(recording.output.match(/the loop starts/g)).toHaveLength(1)
  const ofFile = (name: string): string[] => project.prompts(`${name}.test.ts/_file`).toSorted()
  expect(ofFile('a-goes-on')).toEqual(['describe of a', 'module of a'])
  expect(ofFile('b-next')).toEqual(['hook of b'])
  expect(ofFile('c-shares')).toEqual(['first of c', 'last of c'])
  expect(ofFile('d-shares')).toEqual(['first of d', 'last of d'])
  expect(project.prompts('d-shares.test.ts/d-asks')).toEqual(['test of d'])
})

describe.each(['forks', 'threads'])('in the pool %s', (POOL) => {
  test('all of it replays', async () => {
    const run = await project.run([], { ...AWAY, POOL })
    expect(run.exitCode, run.output).toBe(0)
    expect(run.output).toContain('10 replayed')
  })

  test.each(['hook', 'test'])(
    'a module whose tests are left out is answered by its own cassette, while a %s of the next file runs',
    async (WAIT) => {
      const run = await project.run(['-t', 'asks next'], { ...AWAY, POOL, WAIT })
      expect(run.exitCode, run.output).toBe(0)
      expect(run.output).toContain('Tests  1 passed')
    },
  )

  test.each(['hook', 'test'])(
    'its changed prompt fails the run by its own name, while a %s of the next file runs',
    async (WAIT) => {
      const env = { ...AWAY, POOL, WAIT, WORD: ', changed' }
      const run = await project.run(['-t', 'asks next'], env)
      expect(run.exitCode, run.output).toBe(1)
      expect(run.output).toContain('Tests  1 passed')
      expect(run.output).not.toContain('FAIL')
      expect(run.output).toContain('test      a-goes-on.test.ts')
      expect(run.output).toContain('cassette  __recordings__/a-goes-on.test.ts/_file.json')
      expect(run.output).toContain('CassetteError: The prompt changed')
      expect(run.output).toContain('+ module of a, changed')
    },
  )
})

describe('what a file does not wait for', () => {
  let hasty: VitestProject

  beforeAll(() => {
    hasty = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
    hasty.edit('a-goes-on.test.ts', "expect(await warm).toBe('Odd: module of a')", '')
    hasty.edit('a-goes-on.test.ts', "expect(await ready).toBe('Odd: describe of a')", '')
    hasty.remove('__recordings__/a-goes-on.test.ts')
  })

  test.each(['hook', 'test'])('fails by its name, while a %s of the next runs', async (WAIT) => {
    const run = await hasty.run([], { ...AWAY, WAIT })
    expect(run.exitCode, run.output).toBe(1)
    expect(run.output).toContain('Tests  4 passed')
    expect(run.output).not.toContain('FAIL')
    const { tests } = hasty.json('node_modules/.cache/vitest-cassette/failures.json')
    expect(tests).toContainEqual({
      code: 'miss',
      headline: expect.stringContaining('"a-goes-on.test.ts"'),
    })
  })

  test.each(['hook', 'test'])(
    'is in no cassette of another, recorded while a %s of it runs',
    async (WAIT) => {
      const { exitCode, output } = await hasty.record([], { WAIT })
      expect(exitCode, output).toBe(1)
      expect(output).toContain('a-goes-on.test.ts: POST http://')
      expect(toldPeople({ exitCode, output })).toContain('Tests  4 passed')
      expect(hasty.files()).toEqual(project.files().filter((file) => !file.startsWith('a-')))
      expect(hasty.prompts('b-next.test.ts/_file')).toEqual(['hook of b'])
      expect(hasty.prompts('b-next.test.ts/asks-next')).toEqual(['test of b'])
    },
  )
})

test('a changed prompt that a shared loop asks fails who waits for it', async () => {
  const changed = new VitestProject(project.dir)
  changed.edit('d-shares.test.ts', "'first of d'", "'the first of d'")
  const ofHook = await changed.run(['-t', 'd asks'], AWAY)
  const failure = failureIn(ofHook, 'd-shares.test.ts [')
  expect(failure).toContain('The prompt changed')
  expect(failure).toContain('queue     started by c-shares.test.ts')
})

test('recorded alone, a test leaves the cassette of a file alone whose modules go on', async () => {
  const other = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  const before = other.snapshot('a-goes-on')
  const run = await other.record(['-t', 'asks next'])
  expect(run.exitCode, run.output).toBe(0)
  expect(other.snapshot('a-goes-on')).toEqual(before)
  expect(other.prompts('b-next.test.ts/_file')).toEqual(['hook of b'])
})
