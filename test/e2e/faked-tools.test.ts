import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { moduleOf } from './faked-file.ts'
import { failureIn, VitestProject, type TestsRun } from './vitest-project.ts'

/** How a test fakes its world with the tools that people use: `mock` for its file, `fake` where it runs. */
interface Fake {
  mock?: string
  fake?: string
}

const MEMFS = `async () => {
  const { fs } = await import('memfs')
  return { ...fs, ...fs.promises, default: fs }
}`

const FAKES: Record<string, Fake> = {
  'mock-fs': {
    fake: `
      mock({ '/prompts/kind.txt': 'Be kind.' })
      undo.push(mock.restore)
      expect(fs.readdirSync('/prompts')).toEqual(['kind.txt'])`,
  },
  'memfs by vi.mock': { mock: `vi.mock('node:fs', ${MEMFS})\nvi.mock('fs', ${MEMFS})` },
  'memfs by vi.mock, promises': {
    mock: `vi.mock('node:fs/promises', ${MEMFS})\nvi.mock('fs/promises', ${MEMFS})`,
  },
  'memfs in the place of fs': { fake: `undo.push(patchFs(vol)), syncBuiltinESMExports()` },
  'memfs in the place of require': { fake: `patchRequire(vol)` },
  'automocked modules': {
    mock: ['fs', 'path', 'os', 'crypto', 'worker_threads', 'child_process']
      .map((name) => `vi.mock('node:${name}')`)
      .concat(`vi.mock('msw')`, `vi.mock('undici')`)
      .join('\n'),
  },
  'a clock that cannot be read': {
    fake: `vi.stubGlobal('performance', { now: () => NaN })
      vi.stubGlobal('Date', class { static now = () => 0; toISOString() { return 'today' } })`,
  },
  'another platform': {
    fake: `put(process, 'platform', 'win32'), put(process, 'cwd', fail), put(process, 'version', 'v0.1.0')`,
  },
  'an empty environment': {
    fake: `for (const name of Object.keys(process.env)) vi.stubEnv(name, undefined)`,
  },
  'one number and one id for all': {
    fake: `
      vi.spyOn(Math, 'random').mockReturnValue(0)
      vi.spyOn(crypto, 'randomUUID').mockReturnValue('0-0-0-0-0')`,
  },
}

/** Where the test fakes its world: before its first call, after it, for all tests, or when its file loads. */
const PLACES: Record<string, (fake: string) => string> = {
  before: (fake) => `test('in a faked world', async () => { ${fake}; await answer() })`,
  after: (fake) => `
    test('in a faked world', async ({ cassette }) => {
      await answer()
      ${fake}
      await answer()
      expect(cassette).toHaveTurns(2)
    })`,
  always: (fake) => `
    beforeAll(async () => { ${fake} })
    test('in a faked world', () => answer())`,
  'at once': (fake) => `
    ${fake}
    test('in a faked world', () => answer())`,
}

const fileOf = ({ mock = '', fake = '' }: Fake, place: string, call: string): string => `
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { beforeAll, expect, test, vi } from 'vitest'
import { ${call} as answer } from '${moduleOf(call)}'

const require = createRequire(import.meta.url)
const mock = require('mock-fs')
const { vol } = require('memfs')
const { patchFs, patchRequire } = require('fs-monkey')
${mock}
const fail = (): never => {
  throw new Error('faked')
}
const undo: Array<() => void> = []
function put(object: any, name: string, value: unknown): void {
  const real = Object.getOwnPropertyDescriptor(object, name)!
  Object.defineProperty(object, name, { ...real, value })
  undo.push(() => Object.defineProperty(object, name, real))
}
${PLACES[place]!(fake)}
test('afterwards', async () => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  for (const end of undo.splice(0)) end()
  syncBuiltinESMExports()
  await answer()
})
`

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))
afterAll(() => upstream.stop())

test.for([
  ['forks', /./],
  ['vmThreads', /mock-fs|clock/],
] as const)(
  'no tool that fakes the world switches anything off in the pool %s',
  async ([POOL, tried]) => {
    const project = new VitestProject('faked-world', { POOL, UPSTREAM_URL: upstream.url })
    const files: string[] = []
    const places = Object.keys(PLACES)
    // Each fake in one place for each client, so that all meet.
    for (const [at, [name, fake]] of Object.entries(FAKES).entries())
      for (const [step, call] of ['answer', 'answerByHttp'].entries()) {
        if (!tried.test(name)) continue
        const place = places[(at + step) % places.length]!
        const file = `${name}-${place}-${call}.test.ts`.replaceAll(/[\s,]+/g, '-')
        files.push(file)
        project.write(file, fileOf(fake, place, call))
      }
    const all = (status: string): string[] =>
      files
        .flatMap((file) => [`${file} afterwards ${status}`, `${file} in a faked world ${status}`])
        .sort()
    const outcomes = ({ tests }: TestsRun): string[] =>
      tests.map(({ file, title, status }) => `${file} ${title} ${status}`).sort()

    const recording = await project.runTests([], { RECORD: '1' })
    expect(outcomes(recording), recording.output).toEqual(all('passed'))
    expect(project.files().length, recording.output).toBe(2 * files.length)
    const recorded = project.snapshot()
    const replay = await project.runTests([], { CI: 'true', UPSTREAM_URL: 'http://127.0.0.1:9' })
    expect(outcomes(replay), replay.output).toEqual(all('passed'))
    const changed = await project.runTests([], { QUESTION: 'Which is the highest hill?' })
    expect(outcomes(changed), changed.output).toEqual(all('failed'))
    for (const { failureMessages } of changed.tests)
      expect(failureMessages[0]).toContain('"mountain?" → "hill?"')
    expect(project.snapshot()).toEqual(recorded)
  },
)

test('a recording that cannot be sent under a fake fails at once, and names it', async () => {
  const project = new VitestProject('faked-world', { UPSTREAM_URL: upstream.url })
  const fake = { fake: `vi.stubGlobal('queueMicrotask', () => {})` }
  project.write('still.test.ts', fileOf(fake, 'before', 'answer'))
  const run = await project.runTests([], { RECORD: '1' })
  expect(run.tests.map(({ title, status }) => `${title} ${status}`).sort(), run.output).toEqual([
    'afterwards passed',
    'in a faked world failed',
  ])
  await expectGolden(failureIn(run, 'still.test.ts > in a faked world'), 'still', {
    [new URL(upstream.url).host]: '<host>',
  })
})

test.for(['import', 'mock'])(
  'a program can %s mock-fs before its cassette is opened',
  async (what) => {
    const project = new VitestProject('faked-world', { UPSTREAM_URL: upstream.url })
    project.write('program.ts', PROGRAM)
    const run = (environment: string): ReturnType<VitestProject['shell']> =>
      project.shell(`${environment} node --no-warnings program.ts ${what}`)
    expect(await run('RECORD=1')).toMatchObject({ exitCode: 0 })
    expect(project.files('cassettes')).toEqual(['program.json'])
    expect(await run('CI=true')).toMatchObject({ exitCode: 0 })
    const changed = await run('QUESTION=hill?')
    expect(changed.exitCode).toBe(1)
    expect(changed.output).toContain('The prompt changed')
  },
)

test('what a program records with a file system that was faked before this package is not lost in it', async () => {
  const project = new VitestProject('faked-world', { UPSTREAM_URL: upstream.url })
  project.write('program.ts', TOO_EARLY)
  const run = await project.shell('RECORD=1 node --no-warnings program.ts')
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain("code: 'unwritten'")
  const [told] = /^CassetteError: [^]*?(?=\n +at )/m.exec(run.output)!
  await expectGolden(told.replace(/program-\S+\.jsonl/, 'program-<random>.jsonl'), 'too-early')
})

const TOO_EARLY = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { vol } from 'memfs'

for (const name of ['writeFileSync', 'renameSync', 'mkdirSync', 'appendFileSync', 'rmSync'])
  fs[name] = vol[name].bind(vol)
syncBuiltinESMExports()
const { answer } = await import('./by-sdk.ts')
const { openCassette } = await import('vitest-cassette/open-cassette')
const cassette = openCassette({ path: 'cassettes/program.json' })
await answer()
await cassette.close()
`

const PROGRAM = `
import mock from 'mock-fs'
import { answer } from './by-sdk.ts'
import { openCassette } from 'vitest-cassette/open-cassette'

if (process.argv[2] === 'mock') mock({})
const cassette = openCassette({ path: 'cassettes/program.json' })
mock({ '/prompts/kind.txt': 'Be kind.' })
await answer()
await cassette.close()
mock.restore()
`

test('a file of a vm pool that cannot be parsed leaves the files after it as they are', async () => {
  const project = new VitestProject('faked-world', {
    POOL: 'vmThreads',
    UPSTREAM_URL: upstream.url,
  })
  // The longest file runs first.
  project.write('broken.test.ts', `it is not code\n// ${'long '.repeat(300)}`)
  for (const name of ['one', 'two'])
    project.write(
      `${name}.test.ts`,
      `import { test } from 'vitest'\nimport { answerByHttp } from './app.ts'\ntest('answers', () => answerByHttp())\n`,
    )
  const { tests, output } = await project.runTests(['--maxWorkers=1'], { RECORD: '1' })
  expect(tests.map(({ file, status }) => `${file} ${status}`).sort(), output).toEqual([
    'one.test.ts passed',
    'two.test.ts passed',
  ])
  expect(project.files()).toHaveLength(2)
})
