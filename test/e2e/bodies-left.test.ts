import { beforeAll, expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { type Run, VitestProject } from './vitest-project.ts'

/** Milliseconds that the start of a run and its end may take, beside waiting. */
const BESIDES = 10_000

let project: VitestProject
let recording: Run
let failed: Run
let replay: Run
let ODD_URL: string
let recordingMs: number
let failedMs: number

beforeAll(async () => {
  const upstream = await startUpstream()
  ODD_URL = upstream.oddUrl
  project = new VitestProject('bodies-left', { ODD_URL })
  const started = performance.now()
  // Side by side: both mostly wait.
  const fails = new VitestProject('bodies-left', { ODD_URL }).record(['fails'])
  recording = await project.record(['left'])
  recordingMs = performance.now() - started
  failed = await fails
  failedMs = performance.now() - started
  await upstream.stop()
  replay = await project.run(['left'])
})

const clients = ['fetch', 'undici', 'node:http', 'http2', 'openai']

const begun: Array<[title: string, why?: string]> = [
  ['leaves its reader behind', 'nothing was reading it'],
  ['leaves a pipe behind that is full', 'nothing was reading it'],
  ['leaves a loop behind that reads on'],
  ['leaves a stream behind that went quiet'],
  ['leaves a socket open that sends on'],
  ...clients.map((name): [string] => [`never reads the body of ${name}`]),
]
const never = [
  'opens a socket that is not answered',
  ...clients.map((name) => `gets no response by ${name}`),
]

test('a recording ends some seconds after its tests, and a replay at once', () => {
  expect(recording.exitCode, recording.output).toBe(0)
  expect(replay.exitCode, replay.output).toBe(0)
  expect(recordingMs).toBeLessThan(15_000 + BESIDES)
})

test.each(begun)('a response without an end is named, and what came is kept: %s', (title, why) => {
  const told = toldOf(recording, title)
  expect(told).toContain(`${ODD_URL.replace('http', title.includes('socket') ? 'ws' : 'http')}/v1/`)
  expect(told).toContain('had not ended')
  expect(told).toContain(why ?? 'seconds after its test')
  expect(told).toContain('is recorded')
  const exchanges = project.exchanges(slugOf(title))
  expect(JSON.stringify(exchanges.at(-1).wire.response)).toMatch(/on |two |ping/)
})

test.each(never)('a request without a response is named: %s', (title) => {
  const told = toldOf(recording, title)
  expect(told).toContain('had not arrived')
  expect(told).toContain('Nothing of it is recorded')
  const [{ wire }] = project.exchanges(slugOf(title))
  expect(wire.response).toMatchObject({ status: 499, aborted: 'before-headers' })
})

test('what a reader that was left behind could have read is played in a replay', () => {
  const { response } = project.exchanges('never-reads-the-body-of-fetch')[0].wire
  expect(response.aborted).toBeGreaterThan(10)
})

test('a test that fails, and requests that come late, do not hold a run up either', () => {
  expect(failed.exitCode).toBe(1)
  expect(failedMs).toBeLessThan(5_000 + 5_000 + 15_000 + BESIDES)
  expect(toldOf(failed, 'fails before its stream has ended')).toContain('had not ended')
  // Until it is known that the running test did not wait for it, a late request counts for that one.
  expect(toldOf(failed, 'runs while it does')).toContain('had not ended')
  expect(toldOf(failed, 'asks late for a stream when no test runs')).toContain('had not ended')
  expect(toldOf(failed, 'asks late for what never comes')).toContain('had not arrived')
  expect(failed.output).toContain('3 requests were sent when their tests had ended')
})

/** The one warning of a run that names a test. */
function toldOf({ output }: Run, title: string): string {
  const lines = output
    .split('\n')
    .filter((line) => line.startsWith('[vitest-cassette]') && line.includes(`> ${title}"`))
  expect(lines, output).toHaveLength(1)
  return lines[0]!
}

const slugOf = (title: string): string => title.replaceAll(/\W+/g, '-')
