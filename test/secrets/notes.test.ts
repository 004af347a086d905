import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readJsonLines } from '../../src/json/json-lines.ts'
import { appendLine, readLines, writePlan } from '../../src/attempt/run-channel.ts'
import { addEntry, lastEntry } from '../../src/tools/rehearse/history.ts'
import { appendJsonLine, appendNote, writeNote } from '../../src/secrets/notes.ts'
import { replaceNote } from '../../src/secrets/replace-note.ts'
import { addToStatistics } from '../../src/features/run-statistics.ts'

/** The files besides that of notes which write, and what they write. */
const OTHERS: Record<string, string> = {
  'cassette/journal.ts': 'answers, redacted as their cassette is, which has to get them whole',
  'cassette/store.ts': 'cassettes, redacted and looked through as they are recorded',
  'cassette/write-file.ts': 'what it is given',
  'features/count-passes.ts': 'digests and numbers',
  'tools/doctor/personal-data.ts': 'rules in the config of the user',
  'tools/history/backups.ts': 'the store of the user, as it is',
  'tools/history/export.ts': 'a cassette in another format, where the user says',
  'tools/init/additions.ts': 'lines for the files of git and of formatters',
  'tools/init/formatters.ts': 'entries in the config of the user',
  'tools/verify/layout.ts': 'a cassette as it is, in its own layout',
  'tools/resolve/resolve.ts': 'a cassette whose two sides git could not merge',
  'tools/import/traces/span-store.ts':
    'spans as they are, in a file that has no name and ends with its process',
  'transports/intercept/guard/guard-folder.ts': 'a script of ours',
  'transports/child-environment.ts': 'certificates of ours',
  'runners/playwright/worker-cassettes.ts': 'nothing: that the file is there is the note',
  'real/files.ts': 'what it is given',
  'histories/conversation-store.ts': 'the store of the user, as it is',
  'histories/workspace-folder.ts': 'conversations of the user, as they are',
  'histories/workspace-index.ts': 'the index of those conversations',
  'tools/review/recordings.ts': 'a cassette as it is, before it changes',
}

const WRITES =
  /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|writeAtomically|createWriteStream|writeSync|writevSync|copyFile|copyFileSync|cp|cpSync)\b(?=[,(:\s])/

const source = fileURLToPath(new URL('../../src/', import.meta.url))
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notes-'))
  mkdirSync(join(folder, 'mutants'))
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test('nothing else writes what applications say', () => {
  const writers = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => file.endsWith('.ts') && !/^secrets\/(?:replace-)?notes?(?:\.ts|\/)/.test(file),
    )
    .filter((file) => WRITES.test(withoutComments(readFileSync(join(source, file), 'utf8'))))
  expect(writers.toSorted()).toEqual(Object.keys(OTHERS).toSorted())
})

const KNOWN = 'zK4qLm8vT1yRw0Xc6'
const UNKNOWN = ['sk', 'proj', 'aB3dE6gH9'.repeat(5)].join('-')

test('each of them leaves out what is known, and what looks like a credential', async () => {
  vi.stubEnv('OPENAI_API_KEY', KNOWN)
  const said = `401: wrong key ${KNOWN} of "${UNKNOWN}"`
  const price = { input: 1, output: 1 }
  writePlan(folder, { chosen: [said] })
  appendLine(folder, { kind: 'project', root: said, dir: said, prices: { [said]: price } })
  appendLine(join(folder, 'mutants'), { kind: 'refused', key: said, cassette: said })
  addEntry(join(folder, 'history'), {
    date: '2026-01-01',
    answers: 1,
    drifted: { [said]: [said] },
    cost: 0,
    durationMs: 0,
  })
  const attempt = { cassette: said, recording: '1', passed: false, reason: said, invalid: [said] }
  await addToStatistics(folder, [attempt], new Date())
  writeNote(join(folder, 'note'), said)
  await replaceNote(join(folder, 'data.js'), `show(${JSON.stringify({ said })})`)
  appendNote(join(folder, 'summary.md'), said)
  appendJsonLine(join(folder, 'lines'), { [said]: [said, { said: JSON.stringify({ said }) }] })
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  expect(texts).toHaveLength(9)
  for (const text of texts) {
    expect(text).toContain('<REDACTED:OPENAI_API_KEY> of')
    expect(text).not.toMatch(/zK4qLm8v|aB3dE6gH9/)
  }
  expect(readLines(folder)).toMatchObject([{ kind: 'project', prices: {} }])
  expect(readLines(join(folder, 'mutants'))).toHaveLength(1)
  expect(lastEntry(join(folder, 'history'))).toMatchObject({ answers: 1 })
})

test('where lines are compared, two that differ in a credential alone still do', () => {
  const file = join(folder, 'asked')
  for (const end of ['a', 'b', 'a'])
    appendJsonLine(file, `It is ${UNKNOWN}${end}.`, { distinct: true })
  const [one, other, same] = readJsonLines<string>(file)
  expect(one).toMatch(/^It is <REDACTED:\w+>\+[0-9a-f]{12}\.$/)
  expect(same).toBe(one)
  expect(other).not.toBe(one)
})

test('bytes stay as they are', () => {
  const bytes = Buffer.from([0xff, ...Buffer.from(UNKNOWN)])
  writeNote(join(folder, 'picture'), bytes)
  expect(readFileSync(join(folder, 'picture'))).toEqual(bytes)
})

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')
}
