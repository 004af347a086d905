import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const FIRST = { SDK: '1' }
const SECOND = { SDK: '2' }

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('sdk-release', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await project.record([], FIRST)
  expect(recording, recording.output).toMatchObject({ exitCode: 0 })
  // From here on, nothing can be paid.
  await upstream.stop()
})

afterAll(() => upstream.stop())

/** What a command says of the last run in its data. */
async function lastRun(command: 'verify' | 'show --stats'): Promise<any> {
  const { output } = await project.cli(`${command} --json`)
  return JSON.parse(output).lastRun
}

/** What a command says of the last run to people. */
async function toldBy(command: 'verify' | 'show --stats'): Promise<string> {
  const { output } = await project.cli(command)
  const start = output.search(/^\d+ of .* in the last run/m)
  return start < 0 ? '' : output.slice(start)
}

// Each goes on from what the one before has left.
describe('a release of an SDK that moves a field', { shuffle: false }, () => {
  test('nothing is said before a run, nor of a run in which all calls were replayed by hash', async () => {
    expect([await lastRun('verify'), await lastRun('show --stats')]).toEqual([undefined, undefined])
    expect((await project.run([], FIRST)).exitCode).toBe(0)
    expect(await lastRun('verify')).toEqual({ calls: 5, byHash: 5, slow: [] })
    expect([await toldBy('verify'), await toldBy('show --stats')]).toEqual(['', ''])
  })

  test('its tests pass, and verify and stats say which calls took longer, why, and what settles it', async () => {
    const run = await project.run([], SECOND)
    expect(run, run.output).toMatchObject({ exitCode: 0 })
    const told = await lastRun('verify')
    expect(told).toMatchObject({
      calls: 5,
      byHash: 1,
      slow: [{ reason: 'key-order', calls: 4, command: expect.stringContaining('--prompts') }],
    })
    expect(await lastRun('show --stats')).toEqual(told)
    const text = await toldBy('verify')
    await expectGolden(text, 'key-order')
    expect(await toldBy('show --stats')).toBe(text)
  })

  test('the command stores the requests as they are sent, asks no provider, and changes few lines', async () => {
    const before = project.contents()
    const { command } = (await lastRun('verify')).slow[0]
    const run = await project.cli(command.replace('npx vitest-cassette ', ''), SECOND)
    expect(run, run.output).toMatchObject({ exitCode: 0 })
    const after = project.contents()
    const changed = Object.keys(before).filter((path) => before[path] !== after[path])
    expect(changed).toHaveLength(2)
    for (const path of changed) {
      const [old, now] = [before[path]!, after[path]!].map((text) => text.split('\n'))
      // The line that moved, and the one with dates and hashes.
      const isMoved = now!.filter((line) => !old!.includes(line))
      expect(isMoved.length, isMoved.join('\n')).toBeLessThanOrEqual(2)
      expect(now).toHaveLength(old!.length)
    }
    const [, said] = run.output.split(/^(?=\d+ cassettes? )/m)
    await expectGolden(said!, 'stored')
  })

  test('then every call is replayed by hash again, and verify finds nothing', async () => {
    expect((await project.run([], SECOND)).exitCode).toBe(0)
    expect(await lastRun('show --stats')).toEqual({ calls: 5, byHash: 5, slow: [] })
    expect(await toldBy('verify')).toBe('')
    expect(await project.findings()).toEqual([])
  })

  test('the same command again changes no byte', async () => {
    const before = project.snapshot()
    expect((await project.cli('record --prompts', SECOND)).exitCode).toBe(0)
    expect(project.snapshot()).toEqual(before)
  })
})
