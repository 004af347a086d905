import { writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'

test('asks no model', () => {
  expect(1 + 1).toBe(2)
  const { moduleLoadList } = process as { moduleLoadList?: string[] }
  writeFileSync('quiet.json', JSON.stringify({ pid: process.pid, builtins: moduleLoadList }))
})

afterAll(() => {
  const { writeCounts } = globalThis as { writeCounts?(file: string): void }
  writeCounts?.('counts.json')
})
