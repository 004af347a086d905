import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type TestsRun } from './vitest-project.ts'

/** What a test does to its world, before the first call of its file. `undo` is a function that restores it. */
const FAKES: Record<string, string> = {
  'readFileSync returns a prompt': `vi.spyOn(fs, 'readFileSync').mockReturnValue('Be kind.')`,
  'readFileSync returns nothing': `vi.spyOn(fs, 'readFileSync').mockReturnValue('')`,
  'readFileSync returns a comment': `vi.spyOn(fs, 'readFileSync').mockReturnValue('// Be kind.')`,
  'readFileSync throws': `vi.spyOn(fs, 'readFileSync').mockImplementation(fail)`,
  'openSync throws': `vi.spyOn(fs, 'openSync').mockImplementation(fail)`,
  'nothing is there': `
    for (const name of ['existsSync', 'accessSync'] as const) vi.spyOn(fs, name).mockReturnValue(false as never)
    for (const name of ['statSync', 'lstatSync', 'realpathSync', 'fstatSync', 'readdirSync'] as const)
      vi.spyOn(fs, name).mockImplementation(fail)`,
  'nothing can be written': `
    for (const name of ['writeFileSync', 'appendFileSync', 'mkdirSync', 'renameSync', 'writeSync', 'rmSync'] as const)
      vi.spyOn(fs, name).mockImplementation(fail)
    for (const name of ['writeFile', 'mkdir', 'rename', 'open', 'rm', 'readdir'] as const)
      vi.spyOn(fs.promises, name).mockImplementation(fail)`,
  'the whole file system is empty': `everything(fs), everything(fs.promises)`,
  'the whole file system fails': `everything(fs, fail), everything(fs.promises, fail)`,
  'named imports too': `everything(fs, fail), everything(fs.promises, fail), syncBuiltinESMExports()`,
  'the binding of the file system': `everything(process.binding('fs'), fail)`,
}

/** The same for the rest of the world, in which not all applications still work: what fails, fails by name. */
const OTHER_FAKES: Record<string, string> = {
  'another working directory': `vi.spyOn(process, 'cwd').mockReturnValue('/nowhere')`,
  'an empty environment': `
    const { env } = process
    process.env = {}
    undo.push(() => (process.env = env))`,
  'JSON.stringify returns a constant': `vi.spyOn(JSON, 'stringify').mockReturnValue('{}')`,
  'JSON.parse returns a constant': `vi.spyOn(JSON, 'parse').mockReturnValue({})`,
  'one digest and one id for all': `everything(crypto, () => 'same')`,
  'the same for named imports': `everything(crypto, () => 'same'), syncBuiltinESMExports()`,
  'paths and folders': `everything(path, () => '/nowhere'), everything(os, () => '/nowhere'), syncBuiltinESMExports()`,
  'a date in the past': `
    vi.spyOn(Date, 'now').mockReturnValue(0)
    vi.spyOn(Date.prototype, 'toISOString').mockReturnValue('yesterday')`,
  'no URL': `vi.stubGlobal('URL', undefined)`,
  'no URL, connected': `await openConnection(), vi.stubGlobal('URL', undefined)`,
  'Buffer.from returns a constant': `
    const empty = Buffer.alloc(0)
    vi.spyOn(Buffer, 'from').mockReturnValue(empty)`,
  'Buffer.from throws': `vi.spyOn(Buffer, 'from').mockImplementation(fail)`,
  'Buffer.concat returns a constant': `
    const empty = Buffer.alloc(0)
    vi.spyOn(Buffer, 'concat').mockReturnValue(empty)`,
  'no buffer is one': `vi.spyOn(Buffer, 'isBuffer').mockReturnValue(false)`,
  'one text for all buffers': `vi.spyOn(Buffer.prototype, 'toString').mockReturnValue('Be kind.')`,
  'no Headers, connected': `await openConnection(), vi.stubGlobal('Headers', undefined)`,
  'Headers forget, connected': `
    await openConnection()
    vi.spyOn(Headers.prototype, 'get').mockReturnValue(null)`,
  'no Request, connected': `await openConnection(), vi.stubGlobal('Request', undefined)`,
  'no Response, connected': `await openConnection(), vi.stubGlobal('Response', undefined)`,
}

/** What the application calls: an SDK, `node:http`, a child, a WebSocket. */
const CALLS = {
  sdk: 'answer',
  http: 'answerByHttp',
  child: 'answerInChild',
  socket: 'answerBySocket',
}

const slug = (name: string): string => name.replaceAll(/\W+/g, '-')

/** @param staysFaked whether the world is still faked while the end of the test is judged and written */
function fileOf(fake: string, call: string, staysFaked: boolean): string {
  return `
import crypto from 'node:crypto'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { ${call} as answer, openConnection } from './app.ts'

const fail = (): never => {
  throw new Error('faked')
}
const undo: Array<() => void> = []
function everything(object: any, put: () => unknown = () => undefined): void {
  for (const name of Object.getOwnPropertyNames(object)) {
    const real = Object.getOwnPropertyDescriptor(object, name)?.value
    if (typeof real !== 'function' || /^[A-Z_]/.test(name)) continue
    object[name] = put
    undo.push(() => (object[name] = real))
  }
}

function restore(): void {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  for (const end of undo.splice(0)) end()
  syncBuiltinESMExports()
}

test('in a faked world', async () => {
  try {
    ${fake}
    await answer()
  } finally {
    ${staysFaked ? '' : 'restore()'}
  }
})

test('afterwards', async () => {
  restore()
  expect(typeof (await answer())).toBe('string')
})
`
}

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))
afterAll(() => upstream.stop())

test.for([
  ['forks', /./],
  ['threads', /comment|openSync|fails|binding/],
  ['vmThreads', /comment|openSync|fails|binding/],
] as const)(
  'a faked file system switches nothing off in the pool %s',
  { timeout: 300_000 },
  async ([POOL, tried]) => {
    const project = new VitestProject('faked-world', { POOL })
    const files = Object.entries(CALLS).flatMap(([by, call]) =>
      Object.entries(FAKES).flatMap(([name, fake]) => {
        if (!tried.test(name)) return []
        project.write(`${slug(name)}-${by}.test.ts`, fileOf(fake, call, true))
        return [`${slug(name)}-${by}`]
      }),
    )
    const all = (status: string): Array<[string, string, string]> =>
      files
        .flatMap((file): Array<[string, string, string]> => [
          [`${file}.test.ts`, 'in a faked world', status],
          [`${file}.test.ts`, 'afterwards', status],
        ])
        .sort()
    const outcomes = ({ tests }: TestsRun): unknown =>
      tests.map(({ file, title, status }) => [file, title, status]).sort()

    const recording = await project.runTests([], {
      RECORD: '1',
      UPSTREAM_URL: upstream.url,
      SOCKET_URL: upstream.oddUrl.replace('http', 'ws'),
    })
    expect(outcomes(recording), recording.output).toEqual(all('passed'))
    expect(project.files().length, recording.output).toBe(2 * files.length)
    const replay = await project.runTests()
    expect(outcomes(replay), replay.output).toEqual(all('passed'))
    const changed = await project.runTests([], { QUESTION: 'Which is the highest hill?' })
    expect(outcomes(changed), changed.output).toEqual(all('failed'))
    for (const { failureMessages } of changed.tests)
      expect(failureMessages[0]).toContain('"mountain?" → "hill?"')
  },
)

test('no fake of another kind lets a test go on without a word', { timeout: 300_000 }, async () => {
  const project = new VitestProject('faked-world', { UPSTREAM_URL: upstream.url })
  for (const [by, call] of Object.entries({ fetch: 'answerByFetch', http: 'answerByHttp' }))
    for (const [name, fake] of Object.entries(OTHER_FAKES))
      project.write(`${slug(name)}-${by}.test.ts`, fileOf(fake, call, false))
  const passed = ({ tests }: TestsRun): string[] =>
    tests.flatMap(({ file, title, status }) =>
      status === 'passed' ? [`${file}/${title.replaceAll(' ', '-')}`] : [],
    )
  const limit = ['--testTimeout=4000']
  const recording = await project.runTests(limit, { RECORD: '1' })
  const recorded = project.files().map((file) => file.replace(/-\w+\.json$/, ''))
  expect(recorded, recording.output).toEqual(expect.arrayContaining(passed(recording)))
  expect(recorded.length).toBeGreaterThan(Object.keys(OTHER_FAKES).length)
  const changed = await project.runTests(limit, { QUESTION: 'Which is the highest hill?' })
  expect(passed(changed), changed.output).toEqual([])
})
