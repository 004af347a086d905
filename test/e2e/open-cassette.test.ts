import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { testIf } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

/** What the program tells of itself. */
interface Told {
  answers: string[]
  errors: string[]
  first: string[]
  second: string[]
  restored: boolean
}

let provider: Upstream
let project: VitestProject
let recorded: Told

beforeAll(async () => {
  provider = await startUpstream()
  project = new VitestProject('open-cassette', { UPSTREAM_URL: provider.url })
  recorded = await run('RECORD=1')
  await provider.stop()
})

afterAll(() => provider.stop())

async function run<Result = Told>(environment: string, program = 'program'): Promise<Result> {
  const { output } = await project.shell(`${environment} node ${program}.mjs`)
  const line = output.split('\n').find((text) => text.startsWith('{'))
  if (!line) throw new Error(output)
  return JSON.parse(line) as Result
}

test('a program without Vitest records, one cassette after the other', () => {
  expect(recorded).toMatchObject({
    first: ['recorded', 'recorded'],
    second: ['recorded', 'recorded'],
    errors: ['invalid-option', 'invalid-option'],
  })
  expect(project.files('cassettes')).toEqual(['first.json', 'second.json'])
})

test('it replays them with the provider away, and gets the same answers', async () => {
  const replayed = await run('RECORD=')
  expect(replayed).toMatchObject({
    first: ['replayed', 'replayed'],
    second: ['replayed', 'replayed'],
    answers: recorded.answers,
    errors: ['invalid-option', 'invalid-option'],
  })
})

test('what it asks word for word loads neither the engine nor the schema', async () => {
  const { answers, loaded } = await run<Told & { loaded: string[] }>('RECORD=', 'repeat')
  expect(answers).toEqual(recorded.answers.slice(0, 2))
  expect(loaded).toContainEqual(expect.stringContaining('dist/sealed'))
  expect(loaded.filter((url) => /dist\/\S*(?:engine|schema|zod)/.test(url))).toEqual([])
})

test('verify has nothing to say of what a program recorded, from wherever it is called', async () => {
  const cli = 'node ../node_modules/vitest-cassette/dist/cli.mjs verify'
  for (const command of [
    `${cli} --dir cassettes`,
    `cd cassettes && node ../${cli.slice(5)} --dir .`,
  ])
    expect((await project.shell(command)).output).toMatch(/^2 cassettes, .*: no problem/)
})

// Node 22 knows no `using`.
const hasUsing = Number(process.versions.node.split('.')[0]) >= 24

testIf(hasUsing)(
  'a program that fails first keeps its error, or is told that it may be hidden',
  async () => {
    const told = await run<{ using: string[]; finally: string }>('RECORD=', 'failing')
    expect(told.using).toEqual(['SuppressedError', 'no such file', 'unused'])
    await expectGolden(told.finally, 'finally')
  },
)

testIf(hasUsing)(
  'a program that fails for another prompt shows the diff, though Node prints neither error',
  async () => {
    const { output, exitCode } = await project.shell('RECORD= node throwing.mjs')
    expect(exitCode).toBe(1)
    expect(output).toContain('SuppressedError')
    expect(output).toMatch(/CassetteError: The prompt changed: .*[^]*\+ .*another prompt/)
    expect(output).toContain('RECORD=1 node throwing.mjs')
    expect(output).toContain('The program failed: Error: the SDK failed')
    project.write(
      'unasked.mjs',
      `import { openCassette } from 'vitest-cassette/open-cassette'
await using opened = openCassette({ path: 'cassettes/first.json' })
throw new Error('no such file')
`,
    )
    const unasked = await project.shell('RECORD= node unasked.mjs otters')
    expect(unasked.exitCode).toBe(1)
    expect(unasked.output).toContain('The program failed: Error: no such file')
    expect(unasked.output).toContain('CassetteError: Not asked for: ')
  },
)

test('what no exchange answers is refused, and fails the close', async () => {
  const { errors, answers } = await run("RECORD=0 CHANGED=' changed'")
  expect(answers[2]).toContain('[vitest-cassette]')
  expect(errors[2]).toMatch(/^The prompt of request 1|second byFetch/)
  expect(errors[2]).toContain('RECORD=1 node program.mjs')
})

// What the first one records, the next ones replay.
describe('an SDK that refuses to start without a key', { shuffle: false }, () => {
  interface Keyed extends Told {
    /** Before the first cassette; after it is opened, and closed; after the second is opened, and closed. */
    keys: Array<string | null>
    shown: boolean
  }
  const real = 'OPENAI_API_KEY=sk-of-the-one-who-records'
  const lent = 'sk-replay-no-network'

  test('starts in replay, and its key is taken back when the cassette is closed', async () => {
    const upstream = await startUpstream()
    const env = `UPSTREAM_URL=${upstream.url}`
    const { answers } = await run<Keyed>(`${env} RECORD=1 ${real}`, 'keyed')
    await upstream.stop()
    expect(answers).toEqual(['You said: Hello', 'You said: Bye'])
    expect(await run<Keyed>(env, 'keyed')).toEqual({
      answers,
      keys: [null, lent, null, lent, null],
      errors: [],
      restored: true,
      shown: false,
    })
    // CI sets a secret that the run of a fork may not read to the empty text.
    expect(await run<Keyed>(`${env} OPENAI_API_KEY=`, 'keyed')).toEqual({
      answers,
      keys: ['', lent, '', lent, ''],
      errors: [],
      restored: true,
      shown: true,
    })
    const { keys } = await run<Keyed>(`${env} ${real}`, 'keyed')
    expect(new Set(keys)).toEqual(new Set(['sk-of-the-one-who-records']))
  })

  test('gets far enough to say that nothing is recorded, and the program reads no key', async () => {
    const { keys, errors } = await run<Keyed>('CASSETTE=unrecorded', 'keyed')
    expect(keys).toEqual([null, null, null, null, null])
    expect(errors.join()).toContain('Nothing is recorded')
    expect(errors.join()).not.toMatch(/Missing credentials/)
  })

  test.each(['RECORD=1', 'RECORD=new', 'RECORD=off'])(
    'gets none where a request could be sent: %s',
    async (environment) => {
      const { keys, errors } = await run<Keyed>(`${environment} CASSETTE=live`, 'keyed')
      expect(keys).toEqual([null, null, null, null, null])
      expect(errors.join()).toMatch(/Missing credentials|OPENAI_API_KEY/)
    },
  )
})

// What one records, the next ones replay.
describe('requests that nobody waits for', { shuffle: false }, () => {
  test.each([
    ['is recorded', 'RECORD=1', 2],
    ['is replayed', 'RECORD=', 0],
    ['is refused with its prompt changed', 'RECORD= CHANGED=!', 0],
    ['is given up in a recording in which nobody sends it', 'RECORD=1 NEVER=1', 2],
    ['is given up in a replay in which nobody sends it', 'RECORD= NEVER=1', 0],
  ])('what was begun before the close %s', async (_, environment, sent) => {
    const upstream = await startUpstream()
    const before = await upstream.count()
    const env = `UPSTREAM_URL=${upstream.oddUrl} ${environment}`
    const told = await run<Told & { exchanges: number }>(env, 'unawaited')
    const count = (await upstream.count()) - before
    await upstream.stop()
    expect(count).toBe(sent)
    const isChanged = environment.includes('CHANGED')
    expect(told.exchanges).toBe(isChanged ? 0 : 2)
    expect(told.errors).toEqual(isChanged ? [expect.stringContaining('The prompt changed')] : [])
  })
})

// Each goes on from what the one before has recorded.
describe('what holds in a test holds in a program', { shuffle: false }, () => {
  let upstream: Upstream
  const options = (environment: string): Promise<Told> =>
    run(`UPSTREAM_URL=${upstream.oddUrl} ${environment}`, 'options')

  beforeAll(async () => {
    upstream = await startUpstream()
  })
  afterAll(() => upstream.stop())

  test('an answer that was paid for survives the end of the process', async () => {
    await project.shell(`UPSTREAM_URL=${upstream.oddUrl} RECORD=1 KILL=1 node options.mjs`)
    expect(project.files('cassettes')).not.toContain('options.json')
    const { output } = await project.shell('npx vitest-cassette recover --yes --dir cassettes')
    expect(output).toContain('cassettes/options.json')
    expect(project.files('cassettes')).toContain('options.json')
    expect(await options('RECORD=0')).toEqual({ errors: [] })
  })

  test('a recording that is too old is replayed or fails, as the options say', async () => {
    const path = 'cassettes/options.json'
    const old = project.read(path).replace(/"timestamp": "\d+/, '"timestamp": "2020')
    project.write(path, old)
    expect(await options('RECORD=0')).toEqual({ errors: [] })
    const { errors } = await options(`RECORD=0 OPTIONS='{"maxAge":1,"invalid":"fail"}'`)
    expect(errors[0]).toBe('invalid-recording')
    expect(errors[1]).toContain('RECORD=1 node options.mjs')
  })

  test('a model is asked to propose parameters', async () => {
    expect(await options('RECORD=1 PROPOSE=1')).toEqual({ errors: [] })
    expect(JSON.parse(project.read('cassettes/options.json'))).toMatchObject({
      proposed_params: { name: 'Ada Lovelace' },
    })
  })
})

test('closing puts back every global', () => {
  expect(recorded.restored).toBe(true)
})
