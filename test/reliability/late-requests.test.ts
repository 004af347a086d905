import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BY_SOCKET, toldPeople, VitestProject, type Run } from '../e2e/vitest-project.ts'
import { isNight } from '../effort.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'

/** The transports by which test/projects/late-requests/transports.ts asks. */
const TRANSPORTS = [
  'HTTP-2',
  'global WebSocket',
  'ws',
  'undici request',
  'undici fetch',
  'undici pool',
  'undici raw headers',
  'raw headers',
  'raw headers, and a body that follows',
  'expect 100-continue',
  'a stream that nobody reads',
  'a response that nobody reads',
]
const SOCKETS = ['global WebSocket', 'ws']

/** What is asked when the test that asks has its verdict, by test. */
const LATE: Record<string, string[]> = {
  'late.test.ts > setImmediate': ['setImmediate'],
  'late.test.ts > nextTick': ['nextTick'],
  'late.test.ts > setTimeout': ['setTimeout', 'setTimeout of 50 ms'],
  'late.test.ts > retried': ['attempt 1'],
  'late.test.ts > timed out': ['timed out'],
  'late.test.ts > skipped': ['skipped'],
  'late.test.ts > kept for later': ['kept for later'],
  'late.test.ts > the last > one': ['the last one'],
  'at-the-end.test.ts': ['after the file'],
  'at-the-end-socket.test.ts': ['a socket after the file'],
  ...Object.fromEntries(
    TRANSPORTS.map((transport) => [`late-transports.test.ts > by > ${transport}`, [transport]]),
  ),
  ...Object.fromEntries(
    SOCKETS.map((transport) => [
      `late-transports.test.ts > a message over > ${transport}`,
      [`a message over ${transport}`],
    ]),
  ),
  'late-transports.test.ts > repeated': ['time 1', 'time 2'],
  'late-transports.test.ts > a second': ['a second'],
}

/** A socket is asked for twice: by its handshake, and by what it is told. */
const LATE_HANDSHAKES = SOCKETS.length + 1
const HANDSHAKES = 2 * SOCKETS.length

const OVER: Array<[name: string, transport: Record<string, string>, own: number]> = [
  ['fetch', {}, 16],
  ['sockets', BY_SOCKET, 15],
]

describe.each(isNight ? OVER : OVER.slice(0, 1))('over %s', (_, transport, own) => {
  // And one that is repeated.
  const inTime = own + TRANSPORTS.length + 1
  let upstream: Upstream
  let project: VitestProject
  let recording: Run
  let asked: number
  let replay: Run
  let changed: Run

  beforeAll(async () => {
    upstream = await startUpstream()
    project = new VitestProject('late-requests', { UPSTREAM_URL: upstream.oddUrl, ...transport })
    recording = await project.record()
    asked = await upstream.count()
    replay = await project.run()
    changed = await project.run([], { WORD: 'changed' })
  })

  afterAll(async () => {
    expect(await upstream.count()).toBe(asked)
    await upstream.stop()
  })

  test('what was created in time is recorded, whenever it is sent', () => {
    expect(recording.output).toContain('✓ in-time.test.ts (14 tests)')
    expect(recording.output).toContain('✓ in-time-transports.test.ts (13 tests)')
    // With the attempt in time of a test of which another attempt was late, and the second sample of one that is repeated.
    expect(recording.output).toContain(`${inTime + 1 + 1 + HANDSHAKES} recorded`)
  })

  test('what was created in time is replayed', () => {
    expect(replay.output).toContain('✓ in-time.test.ts (14 tests)')
    expect(replay.output).toContain('✓ in-time-transports.test.ts (13 tests)')
    expect(replay.output).toContain(`${inTime + 1 + 1 + HANDSHAKES} replayed`)
  })

  test('what was created in time fails its test where the prompt changed', () => {
    expect(changed.output).toContain('in-time.test.ts (14 tests | 13 failed)')
    expect(changed.output).toContain('in-time-transports.test.ts (13 tests | 13 failed)')
    expect(changed.output).toContain('✓ a request that is given up')
    expect(changed.output).toContain(`${inTime + 1 + 1} missed`)
    expect(toldPeople(changed)).not.toMatch(/: "in-time/)
  })

  test('what was created later is sent while recording, in no cassette, and fails the run', async () => {
    expect(recording.exitCode).toBe(1)
    const late = Object.values(LATE).flat()
    // The first attempt in time of each test that has two, and the first time of the one that is repeated.
    expect(asked).toBe(inTime + 1 + 1 + 1 + HANDSHAKES + late.length + LATE_HANDSHAKES)
    for (const name of Object.keys(LATE)) expect(recording.output).toContain(`  ${name}: `)
    const recovery = await project.cli('recover --yes --overwrite')
    expect(recovery.output).toContain('left: asked')
    const texts = project.files().map((file) => project.read(`__recordings__/${file}`))
    for (const question of late)
      expect(texts.filter((text) => text.includes(`"Odd: ${question}"`))).toEqual([])
  })

  test('what was created later fails the run in replay and names its test', () => {
    for (const { exitCode, output } of [replay, changed]) {
      expect(exitCode).toBe(1)
      for (const name of Object.keys(LATE)) {
        expect(output).toContain(`: "${name}"`)
        expect(output).toMatch(new RegExp(`test +${name}\n`))
      }
    }
  })
})
