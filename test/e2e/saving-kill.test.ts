import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomNumbers } from '../random.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

let upstream: Upstream
let project: VitestProject
let cassette: string
let duration: number

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('saving', { UPSTREAM_URL: upstream.oddUrl })
  const started = performance.now()
  const { exitCode, output } = await project.record(['large.test.ts'])
  duration = performance.now() - started
  expect(exitCode, output).toBe(0)
  cassette = project.cassette('records-much')
})

afterAll(() => upstream.stop())

test('a process that dies in the middle of writing leaves the whole old cassette', async () => {
  const before = project.read(cassette)
  const torn = unfinished().length
  const { exitCode, output } = await project.record(['large.test.ts'], {
    NODE_OPTIONS: `--require ${join(project.dir, 'crash.cjs')}`,
  })
  expect(exitCode, output).toBe(1)
  expect(unfinished()).toHaveLength(torn + 1)
  expect(project.read(cassette)).toBe(before)
})

test('a recording that is killed leaves the whole old cassette or the whole new one', async () => {
  let before = answerNumbers()
  for (let time = 0; time < 2; time++) {
    const signal = await recordAndKill((kill) => {
      const watcher = watch(join(project.dir, dirname(cassette)), (_, file) => {
        if (!file?.endsWith('.tmp')) return
        watcher.close()
        kill()
      })
    })
    expect(signal).toBe('SIGKILL')
    before = expectWhole(before)
  }
  const random = randomNumbers()
  for (const moment of [0.7, 0.9]) {
    const time = duration * moment * (0.9 + random() * 0.2)
    await recordAndKill((kill) => void delay(time).then(kill))
    before = expectWhole(before)
  }
})

test("what a kill leaves behind is in nobody's way", async () => {
  const { exitCode, output } = await project.run(['large.test.ts'])
  expect(exitCode, output).toBe(0)
})

/** What processes that died were writing. */
function unfinished(): string[] {
  return project.files().filter((file) => file.endsWith('.tmp'))
}

/** Every answer is the old one, or every answer is newer; returns what there is now. */
function expectWhole(before: number[]): number[] {
  const now = answerNumbers()
  expect(now).toHaveLength(20)
  const kinds = new Set(now.map((number, index) => Math.sign(number - before[index]!)))
  expect([[0], [1]]).toContainEqual([...kinds])
  return now
}

/** The number that the upstream put behind each answer: it grows with every recording. */
function answerNumbers(): number[] {
  const { exchanges } = project.json(cassette) as {
    exchanges: Array<{ response: { text: string } }>
  }
  return exchanges.map(({ response }) => Number(/\((\d+)\)$/.exec(response.text)?.[1]))
}

/** Records in a process group of its own, so that the worker which writes is killed too. */
async function recordAndKill(plan: (kill: () => void) => void): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [vitest, 'run', 'large.test.ts'], {
    cwd: project.dir,
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, RECORD: '1', UPSTREAM_URL: upstream.oddUrl },
  })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  plan(() => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
  })
  const [, signal] = await ended
  return signal
}
