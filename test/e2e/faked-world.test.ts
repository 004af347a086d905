import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { fileOf, slug } from './faked-file.ts'
import { VitestProject, type TestsRun } from './vitest-project.ts'

/** What a test does to its world, in which not all applications still work: what fails, fails by name. */
const FAKES: Record<string, string> = {
  'another working directory': `vi.spyOn(process, 'cwd').mockReturnValue('/nowhere')`,
  'an empty environment': `
    const { env } = process
    process.env = {}
    undo.push(() => (process.env = env))`,
  'JSON.stringify returns a constant': `vi.spyOn(JSON, 'stringify').mockReturnValue('{}')`,
  'JSON.parse returns a constant': `vi.spyOn(JSON, 'parse').mockReturnValue({})`,
  'one digest and one id for all': `everything(crypto, () => 'same')`,
  'the same for named imports': `everything(crypto, () => 'same'), syncBuiltinESMExports()`,
  // Below its project, where it may leave something behind.
  'paths and folders': `
    const nowhere = path.resolve('nowhere')
    everything(path, () => nowhere), everything(os, () => nowhere), syncBuiltinESMExports()`,
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

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))
afterAll(() => upstream.stop())

test('no fake of another kind lets a test go on without a word', { timeout: 600_000 }, async () => {
  const project = new VitestProject('faked-world', { UPSTREAM_URL: upstream.url })
  for (const [by, call] of Object.entries({ fetch: 'answerByFetch', http: 'answerByHttp' }))
    for (const [name, fake] of Object.entries(FAKES))
      project.write(`${slug(name)}-${by}.test.ts`, fileOf(fake, call, false))
  const passed = ({ tests }: TestsRun): string[] =>
    tests.flatMap(({ file, title, status }) =>
      status === 'passed' ? [`${file}/${title.replaceAll(' ', '-')}`] : [],
    )
  const limit = ['--testTimeout=4000']
  const recording = await project.runTests(limit, { RECORD: '1' })
  const recorded = project.files().map((file) => file.replace(/-\w+\.json$/, ''))
  expect(recorded, recording.output).toEqual(expect.arrayContaining(passed(recording)))
  expect(recorded.length).toBeGreaterThan(Object.keys(FAKES).length)
  const changed = await project.runTests(limit, { QUESTION: 'Which is the highest hill?' })
  expect(passed(changed), changed.output).toEqual([])
})
