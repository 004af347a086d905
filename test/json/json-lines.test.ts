import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readJsonLines } from '../../src/json/json-lines.ts'
import { appendJsonLine } from '../../src/secrets/notes.ts'

const folder = mkdtempSync(join(tmpdir(), 'json-lines-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a line that a killed process has torn spoils no other', () => {
  const file = join(folder, 'torn.jsonl')
  appendJsonLine(file, { test: 1 })
  appendFileSync(file, '\n{"test":')
  appendJsonLine(file, 'two\nlines')
  expect(readJsonLines(file)).toEqual([{ test: 1 }, 'two\nlines'])
})

test('a file that is not there has no lines', () => {
  expect(readJsonLines(join(folder, 'none.jsonl'))).toEqual([])
})
