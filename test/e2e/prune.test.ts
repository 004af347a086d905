import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Progress } from '../../src/tools/terminal/progress.ts'
import { runCommand } from '../../src/tools/commands.ts'
import { expectGolden } from '../golden.ts'
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
  symlinkSync(join(project.dir, 'stays.test.ts'), join(project.dir, `__recordings__/blobs/${LINK}`))

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
  expect(run.output).toContain('--yes')
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
})

test('in a terminal it asks, where there is something to delete', async () => {
  const copy = new VitestProject(project.dir)
  const asked: string[] = []
  const written: string[] = []
  for (let time = 0; time < 2; time++) {
    await runCommand(['prune'], {
      cwd: copy.dir,
      env: { PATH: process.env.PATH, UPSTREAM_URL: upstream.oddUrl },
      columns: 200,
      colors: pc.createColors(false),
      write: (text) => void written.push(text),
      warn: () => {},
      progress: new Progress({ isLive: false, write: () => {} }),
      confirm: async (question) => asked.push(question) === 1,
    })
    expect(copy.files()).toEqual(kept)
  }
  expect(asked).toEqual(['Delete 5 files?'])
  await expectGolden(written.slice(-2).join(''), 'deleted')
})

test.each([
  ['a test fails', '', 'FAILS=1'],
  ['not all of them run', '-- -t stays', ''],
])('where %s, nothing is known and nothing deleted', async (what, options, env) => {
  const { exitCode, output } = await pruneIn(project, `--yes ${options}`, env)
  expect(exitCode).toBe(1)
  await expectGolden(output.trimEnd().split('\n').at(-1)!, what.replaceAll(' ', '-'))
  expect(output).toContain('Test Files')
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
