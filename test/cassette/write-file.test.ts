import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { isAbandoned, replaceFile } from '../../src/cassette/write-file.ts'
import { needs } from '../needs.ts'

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
test(
  'what a process was writing that has ended and nobody waits for is abandoned',
  needs('linux'),
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

test(
  'a file that another program holds for a moment is replaced on Windows, elsewhere the error is told',
  needs('chattr'),
  async () => {
    const [fresh, held] = ['fresh', 'held'].map((name) => join(dir, name)) as [string, string]
    writeFileSync(fresh, 'new')
    writeFileSync(held, 'old')
    // As an open file on Windows, it cannot be replaced.
    spawnSync('chattr', ['+i', held])
    try {
      await expect(replaceFile(fresh, held, 'linux')).rejects.toThrow('EPERM')
      setTimeout(() => spawnSync('chattr', ['-i', held]), 100)
      await replaceFile(fresh, held, 'win32')
      expect(readFileSync(held, 'utf8')).toBe('new')
    } finally {
      spawnSync('chattr', ['-i', held])
    }
  },
)

/** The path of a file that carries the mark of a process. */
function writtenBy(pid: number): string {
  const path = join(dir, `a.json.${pid}-${randomUUID()}.tmp`)
  writeFileSync(path, '{}')
  return path
}
