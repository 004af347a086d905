import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { isHere } from '../needs.ts'
import { linkClients } from './installed-clients.ts'
import { failureIn, VitestProject, type Run } from './vitest-project.ts'

/** Nobody answers there. */
const AWAY = { UPSTREAM_URL: 'http://127.0.0.1:2' }

const hasClients = isHere('clients')

/** One more where the clients are installed: that of LangChain. */
const QUEUES = hasClients ? 11 : 10
const ENV: Record<string, string> = hasClients ? { CLIENTS: '1' } : {}

let upstream: Upstream
let project: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = openProject()
  recording = await project.record([], { ISOLATE: 'true' })
})

afterAll(() => upstream.stop())

function openProject(): VitestProject {
  const opened = new VitestProject('queues', { UPSTREAM_URL: upstream.url, ...ENV })
  if (hasClients) linkClients(opened)
  return opened
}

/** The prompts of each cassette of a file, without the name of the queue. */
function promptsIn(file: string): string[] {
  const cassettes = project.files().filter((path) => path.startsWith(`${file}.test.ts/`))
  return cassettes
    .filter((path) => !path.includes('_file'))
    .map((path) => {
      const prompts = project.prompts(path.replace(/\.json$/, ''))
      return [...new Set(prompts.map((text) => text.replace(/ by .*/, '')))].toSorted().join(', ')
    })
    .toSorted()
}

const times = (count: number, lines: string[]): string[] =>
  lines.flatMap((line) => Array.from({ length: count }, () => line)).toSorted()

describe('what a queue asks belongs to the test that waits for it', () => {
  test('whichever test has started the queue', () => {
    expect(recording.exitCode, recording.output).toBe(0)
    expect(recording.output).not.toMatch(/Late|Interrupted/)
    expect(promptsIn('lazy')).toEqual(
      times(QUEUES, ['one, two', 'again, four, three', 'again', 'repeated']),
    )
  })

  test('or if the file has started it', () => {
    expect(promptsIn('early')).toEqual(times(QUEUES, ['first', 'second']))
    const ofFile = project.prompts('early.test.ts/_file')
    expect(ofFile.every((text) => text.startsWith('warm up'))).toBe(true)
  })

  test('also among tests that run at the same time', () => {
    const whose = ['Ada', 'Bob', 'Cleo'].map((who) => `hello of ${who}, thanks of ${who}`)
    expect(promptsIn('side-by-side')).toEqual(times(QUEUES - 1, whose))
  })
})

test('one call for several tests is in the cassette of the file, and the run says so', () => {
  const [prompt] = project.prompts('batch.test.ts/_file')
  expect(prompt!.split(',').toSorted()).toEqual(['a', 'b', 'c'])
  expect(recording.output).toMatch(/1 call is in \S+batch\.test\.ts\/_file\.json, the cassette of/)
})

describe('a batcher with one call for each question of concurrent tests', () => {
  test('asks for the file where no promise tells whose call it is', () => {
    const questions = ['hello of Cleo', 'hello of Dan', 'hello of Eve']
    const asked = project.prompts('batchers.test.ts/_file')
    expect(asked).toEqual(expect.arrayContaining(questions.map((one) => `${one}, all at once`)))
    expect(recording.output).toMatch(/calls are in \S+batchers\.test\.ts\/_file\.json/)
  })

  test.each([
    ['Ada', 3],
    ['Bob', 3],
    ['Cleo', 3],
    ['Dan', 3],
    ['Eve', 3],
    ['all at once for 3( >)? Dan', 1],
    ['not for 2( >)? Ada', 1],
  ])('replays %s alone', async (name, count) => {
    const run = await project.run(['batchers', '-t', name], AWAY)
    expect(run.exitCode, run.output).toBe(0)
    expect(run.output).toContain(`Tests  ${count} passed`)
  })

  test('fails with a changed prompt, in the run of all and alone', async () => {
    const changed = new VitestProject(project.dir, ENV)
    changed.edit('batchers.test.ts', "'thanks'", "'thank you'")
    const all = await changed.run(['batchers'], AWAY)
    expect(all.exitCode, all.output).toBe(1)
    expect(all.output).toContain('{+thank you+}')
    const alone = await changed.run(['batchers', '-t', 'all at once for 3( >)? Dan'], AWAY)
    expect(alone.exitCode, alone.output).toBe(1)
    expect(alone.output).toContain('Tests  1 failed')
    // What it asks is stored in the cassette of the file.
    expect(alone.output).toMatch(/closest +exchange-\d+, 1 change away, not yet played/)
    expect(alone.output).toContain('+ {+thank you+} of Dan, all at once')
    expect(alone.output).toMatch(/npx vitest-cassette record batchers\.test\.ts\n/)
    expect(alone.output).not.toContain('--prompts')
  })
})

test('a test that polls for the answer keeps its call, if it has woken the queue', () => {
  expect(promptsIn('batch')).toEqual(['at last', 'early', 'later'])
})

test.each([
  ['with every file for itself', [], { ISOLATE: 'true' }],
  ['with isolate: false', [], {}],
  ['in a vm pool', [], { POOL: 'vmThreads' }],
  ['in another order', ['--sequence.shuffle.tests', '--sequence.seed=7'], {}],
  ['at the same time', ['--sequence.concurrent', 'early', 'side'], {}],
  ['one test of each queue alone', ['-t', 'finds it'], { ISOLATE: 'true' }],
  ['another test alone', ['-t', 'asks the second time'], { ISOLATE: 'true' }],
  ['a test that ran beside others alone', ['-t', 'Bob'], { ISOLATE: 'true' }],
  ['one test of each queue alone, without isolation', ['-t', 'finds it'], {}],
  ['another test alone, without isolation', ['-t', 'asks the second time'], {}],
  ['a test that ran beside others alone, without isolation', ['-t', 'Bob'], {}],
])('all of it replays with the provider away, %s', async (_, args, env) => {
  const run = await project.run(args, { ...AWAY, ...env })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).not.toMatch(/missed|unused/)
})

test.each([
  ['in another order', ['--sequence.shuffle.tests', '--sequence.seed=3']],
  ['with isolate: false', []],
])('recorded %s, it replays in the order of the file', async (_, args) => {
  const other = openProject()
  const recorded = await other.record(args)
  expect(recorded.exitCode, recorded.output).toBe(0)
  const run = await other.run([], AWAY)
  expect(run.exitCode, run.output).toBe(0)
})

test('in a vm pool no promise is followed, and a recording that cannot replay fails', async () => {
  const other = openProject()
  const { exitCode, output } = await other.record(['lazy'], { POOL: 'vmThreads' })
  expect(exitCode, output).toBe(1)
  expect(output).toContain('Await all requests in the test that starts them')
})

test('a changed prompt fails the test that waits for it, with the diff', async () => {
  const changed = new VitestProject(project.dir, ENV)
  changed.edit('lazy.test.ts', "'four'", "'for'")
  changed.edit(
    'early.test.ts',
    '${time} by ${name}`))',
    '${time.replace("second", "last")} by ${name}`))',
  )
  const names = ['p-queue', 'loop', 'flusher', 'bus']
  const run = await changed.run(['-t', `^(${names.join('|')}) `], AWAY)
  expect(run.exitCode).toBe(1)
  for (const name of names) {
    const failure = failureIn(run, `lazy.test.ts > ${name} > finds it`)
    expect(failure).toMatch(/^\nCassetteError: The prompt changed/)
    expect(failure).toMatch(new RegExp(`- four by ${name}\n +\\+ for by ${name}`))
    const early = failureIn(run, `early.test.ts > ${name} > asks the second time`)
    expect(early).toMatch(new RegExp(`- second by ${name}\n +\\+ last by ${name}`))
  }
  expect(run.output).toContain('8 failed')
  expect(run.output).not.toContain('Failed Suites')
})
