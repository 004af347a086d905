import { beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
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

const begun = [
  'leaves its reader behind',
  'leaves a pipe behind that is full',
  'leaves a loop behind that reads on',
  'leaves a stream behind that went quiet',
  'leaves a socket open that sends on',
  ...clients.map((name) => `never reads the body of ${name}`),
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

test.each(begun)('a response without an end is named, and what came is kept: %s', (title) => {
  const told = toldOf(recording, title)
  expect(told).toContain(`${ODD_URL.replace('http', title.includes('socket') ? 'ws' : 'http')}/v1/`)
  expect(kindOf(recording, title)).not.toBe(kindOf(recording, never[0]!))
  const exchanges = project.exchanges(slugOf(title))
  expect(JSON.stringify(exchanges.at(-1).response.sent)).toMatch(/on |two |ping/)
})

test.each(never)('a request without a response is named: %s', (title) => {
  expect(toldOf(recording, title)).toContain('/v1/')
  expect(kindOf(recording, title)).toBe(kindOf(recording, never[0]!))
  const [{ response }] = project.exchanges(slugOf(title))
  expect(response.sent).toMatchObject({ status: 499, aborted: 'before-headers' })
})

test('it is said how far each came, and whether anything was reading it', async () => {
  const [unread, read] = [kindOf(recording, begun[0]!), kindOf(recording, begun[2]!)]
  const none = kindOf(recording, never[0]!)
  await expectGolden([unread, read, none].join('\n'), 'told')
  expect(kindOf(recording, 'leaves a pipe behind that is full')).toBe(unread)
})

test('what a reader that was left behind could have read is played in a replay', () => {
  const [{ response }] = project.exchanges('never-reads-the-body-of-fetch')
  expect(response.sent.aborted).toBeGreaterThan(10)
})

test('a test that fails, and requests that come late, do not hold a run up either', () => {
  expect(failed.exitCode).toBe(1)
  expect(failedMs).toBeLessThan(5_000 + 5_000 + 15_000 + BESIDES)
  const none = kindOf(recording, never[0]!)
  expect(kindOf(failed, 'fails before its stream has ended')).not.toBe(none)
  // Until it is known that the running test did not wait for it, a late request counts for that one.
  expect(kindOf(failed, 'runs while it does')).not.toBe(none)
  expect(kindOf(failed, 'asks late for a stream when no test runs')).not.toBe(none)
  expect(kindOf(failed, 'asks late for what never comes')).toBe(none)
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

/** The same without what is of its test alone. */
function kindOf(run: Run, title: string): string {
  return toldOf(run, title)
    .replace(/"[^"]*"/, '<test>')
    .replace(/\w+ \S+:\/\/\S+/, '<request>')
}

const slugOf = (title: string): string => title.replaceAll(/\W+/g, '-')
