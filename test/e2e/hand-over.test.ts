import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let cassettes: Record<'recorded' | 'afterFailing', string>
let runs: Record<'failing' | 'handingOver' | 'again' | 'back', Run>
let asked: number

beforeAll(async () => {
  upstream = await startUpstream()
  const project = new VitestProject('hand-over', { UPSTREAM_URL: upstream.oddUrl })
  const cassette = (): string => project.read(project.cassette('an-agent'))
  const recording = await project.record([], { BESIDE_URL: upstream.url })
  expect(recording.exitCode, recording.output).toBe(0)
  // What the sub-agent asks is sent nowhere from now on: it has to be replayed.
  const recorded = cassette()
  const before = await upstream.count()
  const changed = { CITY: 'Basel' }
  const failing = await project.run([], { RECORD: 'new', EXPECT: 'something else', ...changed })
  cassettes = { recorded, afterFailing: cassette() }
  const handingOver = await project.run([], { RECORD: 'both', ...changed })
  const again = await project.run([], changed)
  runs = { failing, handingOver, again, back: await project.run() }
  asked = (await upstream.count()) - before
})

afterAll(() => upstream.stop())

test('a failing test says where its conversation left the recording, and leaves that as it was', () => {
  const { exitCode, output } = runs.failing
  expect(exitCode).toBe(1)
  expect(output).toContain('left its recording at exchange 2 of 3')
  expect(output).toContain('2 recorded exchanges would have been replaced')
  expect(cassettes.afterFailing).toBe(cassettes.recorded)
})

test('the rest of a conversation that changed goes live, and those beside it replay', () => {
  const { exitCode, output } = runs.handingOver
  expect(exitCode, output).toBe(0)
  // Two prompts, in the failing run and in this one.
  expect(asked).toBe(4)
  expect(output).toContain('4 replayed | 2 recorded')
  expect(output).toContain('exchange-3, 2 recorded exchanges replaced')
  expect(output).toMatch(/- .*Bern[^]*\+ .*Basel/)
  expect(output).toMatch(
    /Handed over {2}1 conversation\n +talk\.test\.ts > an agent .*: left its recording at exchange 2 of 3: message 3 \(user\)/,
  )
})

test('the next run replays the whole of it, and then the first divergence is the only error', () => {
  expect(runs.again.exitCode, runs.again.output).toBe(0)
  expect(runs.again.output).toContain('6 replayed')
  expect(runs.back.exitCode).toBe(1)
  expect(runs.back.output).toContain('The prompt changed: message 3 (user)')
  expect(runs.back.output).not.toMatch(/^ {2}unused|\d unused/m)
})
