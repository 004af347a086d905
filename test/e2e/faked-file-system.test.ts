import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { fileOf, slug } from './faked-file.ts'
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
  // Below its project, where it may leave something behind.
  'paths and folders': `
    const nowhere = path.resolve('nowhere')
    everything(path, () => nowhere), everything(os, () => nowhere), syncBuiltinESMExports()`,
}

/** What the application calls: an SDK, `node:http`, a child, a WebSocket. */
const CALLS = {
  sdk: 'answer',
  http: 'answerByHttp',
  child: 'answerInChild',
  socket: 'answerBySocket',
}

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))
afterAll(() => upstream.stop())

test.for([
  ['forks', /./, []],
  ['threads', /comment|openSync|fails|binding|paths/, []],
  // What one file leaves behind in the modules of Node stands in the next.
  ['threads', /paths|named/, ['--no-isolate', '--maxWorkers=1']],
  ['vmThreads', /comment|openSync|fails|binding/, []],
] as const)(
  'a faked file system switches nothing off in the pool %s, of %s, %s',
  { timeout: 600_000 },
  async ([POOL, tried, options]) => {
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

    const recording = await project.runTests([...options], {
      RECORD: '1',
      UPSTREAM_URL: upstream.url,
      SOCKET_URL: upstream.oddUrl.replace('http', 'ws'),
    })
    expect(outcomes(recording), recording.output).toEqual(all('passed'))
    expect(project.files().length, recording.output).toBe(2 * files.length)
    const replay = await project.runTests([...options])
    expect(outcomes(replay), replay.output).toEqual(all('passed'))
    const changed = await project.runTests([...options], { QUESTION: 'Which is the highest hill?' })
    expect(outcomes(changed), changed.output).toEqual(all('failed'))
    for (const { failureMessages } of changed.tests)
      expect(failureMessages[0]).toContain('"mountain?" → "hill?"')
  },
)
