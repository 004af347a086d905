import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { type Run, VitestProject } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('samples', { UPSTREAM_URL: upstream.oddUrl })
})

afterAll(() => upstream.stop())

/** The samples of the exchanges of a cassette. */
const samplesOf = (slug: string): number[] =>
  project.exchanges(slug).map(({ sample = 1 }) => sample)

/** What the tests of a run got. */
const answersIn = ({ output }: Run): string[] => output.match(/(?<=answer: ).*/g) ?? []

async function calls(run: Promise<Run>): Promise<Run & { calls: number }> {
  const before = await upstream.count()
  const made = await run
  return { ...made, calls: (await upstream.count()) - before }
}

// Each goes on from what the one before has recorded.
describe('one suite, step by step', { shuffle: false }, () => {
  test('record --samples records more samples, and leaves those that are there', async () => {
    expect(await calls(project.record())).toMatchObject({ exitCode: 0, calls: 3 })
    const before = project.exchanges('asks-twice')
    const run = await calls(project.cli('record --samples 3'))
    expect(run, run.output).toMatchObject({ exitCode: 0, calls: 6 })
    expect(samplesOf('asks-twice')).toEqual([1, 1, 2, 2, 3, 3])
    expect(project.exchanges('asks-twice').slice(0, 2)).toEqual(before)
    expect(answersIn(run)).toHaveLength(3)
  })

  test('SAMPLES replays as many of them, and without it the first one is replayed', async () => {
    const before = project.snapshot()
    const run = await calls(project.run([], { SAMPLES: '3' }))
    expect(run, run.output).toMatchObject({ exitCode: 0, calls: 0 })
    expect(run.output).toContain('9 replayed')
    expect(new Set(answersIn(run)).size).toBe(3)
    const first = await calls(project.run())
    expect(first, first.output).toMatchObject({ exitCode: 0, calls: 0 })
    expect(answersIn(first)).toEqual(answersIn(run).slice(0, 1))
    expect(project.snapshot()).toEqual(before)
    expect(await project.findings()).toEqual([])
  })

  test('show tells samples apart, and how many of them agree', async () => {
    const [shown] = JSON.parse((await project.cli('show --json asks-twice')).output)
    expect(shown.samples).toEqual({ all: 3, agree: 1 })
    expect(shown.threads.map(({ sample }: { sample: number }) => sample)).toEqual([
      1, 1, 2, 2, 3, 3,
    ])
    const { output } = await project.cli('show asks-twice')
    expect(output).toContain('thread-6 of 6, sample 3')
    expect((await project.cli('show --summary asks-twice')).output).toContain('3, of which 1 agree')
  })

  test('more samples than are recorded fail by name', async () => {
    const run = await calls(project.run([], { SAMPLES: '4' }))
    expect(run, run.output).toMatchObject({ exitCode: 1, calls: 0 })
    const failures = project.failures()
    expect(failures.map(({ code }) => code)).toEqual(['miss', 'miss'])
  })

  test('a changed prompt misses in each sample, and is recorded again in each', async () => {
    project.edit('asks.test.ts', 'numbered first', 'numbered question')
    const run = await calls(project.run([], { SAMPLES: '3' }))
    expect(run, run.output).toMatchObject({ exitCode: 1, calls: 0 })
    const again = await calls(project.record(['-t', 'asks twice'], { SAMPLES: '3' }))
    expect(again, again.output).toMatchObject({ exitCode: 0, calls: 6 })
    const replay = await calls(project.run([], { SAMPLES: '3' }))
    expect(replay, replay.output).toMatchObject({ exitCode: 0, calls: 0 })
  })

  test('no number of samples is refused', async () => {
    const run = await project.run([], { SAMPLES: 'many' })
    expect(run.exitCode).toBe(1)
    expect(run.output).toContain('SAMPLES=many')
    expect(await project.cli('record --samples none')).toMatchObject({ exitCode: 2 })
  })
})

test('a test that repeats itself has its samples in the order in which it runs, also where SAMPLES asks for as many', async () => {
  const own = new VitestProject('samples', { UPSTREAM_URL: upstream.oddUrl })
  const text = own.read('asks.test.ts')
  own.write(
    'repeated.test.ts',
    text.replaceAll(/\btest\('([^']+)', /g, "test('$1', { repeats: 1 }, "),
  )
  const recorded = await own.record(['repeated.test.ts'], { SAMPLES: '2' })
  expect(recorded.exitCode, recorded.output).toBe(0)
  expect(answersIn(recorded)).toHaveLength(2)
  const replayed = await own.run(['repeated.test.ts'])
  expect(replayed.exitCode, replayed.output).toBe(0)
  expect(answersIn(replayed)).toEqual(answersIn(recorded))
})
