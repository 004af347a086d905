import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { isAbandoned } from '../../src/cassette/write-file.ts'

const dir = mkdtempSync(join(tmpdir(), 'writer-mark-'))

afterAll(() => rmSync(dir, { recursive: true }))

test('what a living process writes is left to it', () => {
  expect(isAbandoned(writtenBy(process.pid))).toBe(false)
})

test('what a process was writing when it ended is abandoned', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  expect(isAbandoned(writtenBy(pid))).toBe(true)
})

// As in a container whose first process waits for no orphan.
test.runIf(process.platform === 'linux')(
  'what a process was writing that has ended and nobody waits for is abandoned',
  async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'])
    try {
      const [pid] = await once(parent.stdout, 'data')
      const file = writtenBy(Number(pid))
      await expect.poll(() => isAbandoned(file), { timeout: 10_000 }).toBe(true)
      // It is still there, so only its state tells.
      expect(process.kill(Number(pid), 0)).toBe(true)
    } finally {
      parent.kill()
    }
  },
)

/** The path of a file that carries the mark of a process. */
function writtenBy(pid: number): string {
  const path = join(dir, `a.json.${pid}-${randomUUID()}.tmp`)
  writeFileSync(path, '{}')
  return path
}
