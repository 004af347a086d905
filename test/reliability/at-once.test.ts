import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { readJournals } from '../../src/cassette/leftovers.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import { times } from '../effort.ts'
import { attemptIn } from './attempt.ts'

const RECORDINGS = times(10, 60)
const SHARED = 'shared.test.ts/greets-0123456789.json'
const recorder = fileURLToPath(new URL('recorder.ts', import.meta.url))

test.each([
  ['4 processes', inProcess],
  ['4 threads of one process', inThread],
])(
  `%s that make ${RECORDINGS} recordings each lose none, and tear none that they share`,
  async (writers, start) => {
    const root = mkdtempSync(join(tmpdir(), 'cassette-at-once-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const store = new CassetteStore(root, '__recordings__', 1e9)
    let isRunning = true
    const running = Promise.all(
      [1, 2, 3, 4].map((writer) => {
        // Between its own, each writes the one that all share.
        const paths = Array.from({ length: RECORDINGS }, (_, index) => [
          pathOf(writer, index),
          SHARED,
        ])
        return start([root, paths.flat().join(), `${writer}`, '4', '20000'])
      }),
    ).finally(() => (isRunning = false))
    let reads = 0
    while (isRunning) {
      const cassette = store.load(SHARED)
      if (cassette) reads += Math.sign(attemptIn(cassette, 4))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(await running).toEqual([0, 0, 0, 0])
    const kept = [1, 2, 3, 4].flatMap((writer) =>
      Array.from({ length: RECORDINGS }, (_, index) =>
        attemptIn(store.load(pathOf(writer, index))!, 4),
      ),
    )
    expect(attemptIn(store.load(SHARED)!, 4)).toBeGreaterThan(0)
    console.log(
      `${writers}: ${kept.length} of ${4 * RECORDINGS} recordings kept; the shared one whole in ${reads} of ${reads} reads`,
    )
    expect(kept).toHaveLength(4 * RECORDINGS)
    expect(store.entries().filter(({ path }) => path.endsWith('.tmp'))).toEqual([])
    expect(readJournals(root, '__recordings__')).toEqual([])
  },
  120_000,
)

function pathOf(writer: number, index: number): string {
  return `${writer}.test.ts/greets-${`${index}`.padStart(10, '0')}.json`
}

async function inProcess(args: string[]): Promise<unknown> {
  const child = spawn(process.execPath, [recorder, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return (await once(child, 'close'))[0]
}

async function inThread(args: string[]): Promise<unknown> {
  const thread = new Worker(recorder, { workerData: args, stdout: true, execArgv: [] })
  return (await once(thread, 'exit'))[0]
}
