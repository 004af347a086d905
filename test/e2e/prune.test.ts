import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../../src/cli/run-command.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const FOREIGN = ['notes.json', 'gone.test.ts/notes.txt', 'stays.test.ts/x-0123456789.json']
const USED = blobName('used')
const UNUSED = blobName('unused')
const WRONG = `${'0'.repeat(64)}.png`
const LINK = blobName('linked')

let upstream: Upstream
let project: VitestProject
/** What no test and no cassette uses, and everything else. */
let leftovers: string[]
let kept: string[]

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('orphans', { UPSTREAM_URL: upstream.oddUrl })
  const { exitCode, output } = await project.record()
  expect(exitCode, output).toBe(0)
  project.edit('stays.test.ts', "test('leaves', async", "if (false) test('leaves', async")
  project.edit('other.test.ts', 'is elsewhere', 'is somewhere')
  project.remove('gone.test.ts')
  const old = [project.cassette('leaves'), project.cassette('is-elsewhere')]
  const run = await project.run(['other'], { RECORD: 'new' })
  expect(run.exitCode, run.output).toBe(0)

  mkdirSync(join(project.dir, '__recordings__/blobs'))
  for (const file of FOREIGN) put(file, '{ "ours": false }')
  put('blobs/README.md', 'Pictures.')
  put(`blobs/${USED}`, 'used')
  put(`blobs/${UNUSED}`, 'unused')
  put(`blobs/${WRONG}`, 'not what its name says')
  put('uses.json', `{ "a picture": "${USED}" }`)
  symlinkSync(join(project.dir, 'ask.ts'), join(project.dir, `__recordings__/blobs/${LINK}`))

  const gone = project.files('__recordings__/gone.test.ts').filter((file) => file.endsWith('.json'))
  leftovers = [
    ...old.map((file) => file.replace('__recordings__/', '')),
    ...gone.map((file) => `gone.test.ts/${file}`),
    `blobs/${UNUSED}`,
  ].toSorted()
  expect(leftovers).toHaveLength(5)
  kept = project.files().filter((file) => !leftovers.includes(file))
})

afterAll(() => upstream.stop())

test('what nothing uses is shown, with its size and its test; without a yes all of it stays', async () => {
  const run = await pruneIn(project)
  expect(run.exitCode, run.output).toBe(1)
  expect(shownBy(run)).toEqual(leftovers)
  expect(run.output).toMatch(/leaves-\w+\.json +1\.\d kB +stays\.test\.ts > leaves\n/)
  expect(run.output).toContain('Nothing was deleted. To delete: --yes')
  const dry = await pruneIn(project, '--dry-run --yes')
  expect(dry.exitCode, dry.output).toBe(0)
  expect(shownBy(dry)).toEqual(leftovers)
  expect(project.files()).toEqual([...kept, ...leftovers].toSorted())
})

test('with --yes it is deleted, with folders that are empty then, and nothing else', async () => {
  const copy = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  copy.remove('__recordings__/gone.test.ts/notes.txt')
  const run = await pruneIn(copy, '--yes')
  expect(run.exitCode, run.output).toBe(0)
  expect(copy.files()).toEqual(kept.filter((file) => !file.startsWith('gone')))
  expect(existsSync(join(copy.dir, '__recordings__/gone.test.ts'))).toBe(false)
  expect(lstatSync(join(copy.dir, '__recordings__/blobs', LINK)).isSymbolicLink()).toBe(true)
  const after = await copy.run([], { CI: '1' })
  expect(after.exitCode, after.output).toBe(0)
  expect((await pruneIn(copy)).output).toContain('Every cassette has a test.')
})

test('in a terminal it asks', async () => {
  vi.stubEnv('UPSTREAM_URL', upstream.oddUrl)
  onTestFinished(() => void vi.unstubAllEnvs())
  const copy = new VitestProject(project.dir)
  const asked: string[] = []
  for (const answer of [false, true]) {
    await runCommand(['prune'], {
      cwd: copy.dir,
      columns: 200,
      colors: pc.createColors(false),
      write: () => {},
      warn: () => {},
      confirm: async (question) => (asked.push(question), answer),
    })
    expect(copy.files()).toEqual(answer ? kept : [...kept, ...leftovers].toSorted())
  }
  expect(asked).toEqual(['Delete 5 files?', 'Delete 5 files?'])
})

test('where a test fails, or not all run, nothing is known and nothing deleted', async () => {
  const failing = await pruneIn(project, '--yes', 'FAILS=1')
  expect(failing.exitCode).toBe(1)
  expect(failing.output).toContain('AssertionError')
  expect(failing.output).toContain('Nothing was deleted: not all tests passed')
  const partial = await pruneIn(project, '--yes -- -t stays')
  expect(partial.exitCode).toBe(1)
  expect(partial.output).toContain('Nothing was deleted: tests were chosen by name')
  expect(project.files()).toEqual([...kept, ...leftovers].toSorted())
})

function pruneIn(project: VitestProject, options = '', env = ''): Promise<Run> {
  return project.shell(
    `${env} node ../node_modules/vitest-cassette/dist/cli.mjs prune --width 200 ${options}`,
  )
}

/** The files that a run lists, below the cassette folder, sorted. */
function shownBy({ output }: Run): string[] {
  return Array.from(output.matchAll(/^__recordings__\/(\S+) /gm), ([, file]) => file!).toSorted()
}

function put(file: string, text: string): void {
  project.write(`__recordings__/${file}`, text)
}

function blobName(content: string): string {
  return `${createHash('sha256').update(content).digest('hex')}.png`
}
