import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const CI = { CI: '1' }

const tellsOfOnly = !/-[34]\./.test(process.env.CASSETTE_VITEST ?? '')

let upstream: Upstream
let project: VitestProject
let cassettes: string[]

/** What the tests below take away leaves these, in one project. */
const ORPHANS = [
  'gone.test.ts',
  'gone.test.ts > goes with its file',
  'stays.test.ts > has an old name',
  'stays.test.ts > leaves',
]

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('orphans', { UPSTREAM_URL: upstream.oddUrl })
  await succeeds(project.record())
  project.edit('stays.test.ts', "test('leaves', async", "if (false) test('leaves', async")
  project.edit('stays.test.ts', 'has an old name', 'has a new name')
  project.remove('gone.test.ts')
  await succeeds(project.run(['-t', 'has a new name'], { RECORD: 'new' }))
  for (const file of ['notes.json', 'stays.test.ts/notes.json', 'stays.test.ts/x-0123456789.json'])
    project.write(`__recordings__/${file}`, '{ "ours": false }')
  project.write('__recordings__/gone.test.ts/picture.png', 'no picture')
  cassettes = project.files()
})

afterAll(() => upstream.stop())

test('on CI a run of all tests fails for cassettes without a test and names each', async () => {
  const run = await project.run([], CI)
  expect(run.exitCode).toBe(1)
  expect(orphansOf(run)).toEqual(ORPHANS.toSorted())
  await expectGolden(listIn(run), 'failing')
  expect(run.output).toContain(project.cassette('leaves'))
  expect(run.output).toMatch(/has an old name\n +renamed to stays\.test\.ts > has a new name\n/)
  expect(run.output.match(/renamed to/g)).toHaveLength(1)
  expect(run.output).toContain('npx vitest-cassette prune')
  expect(project.files()).toEqual(cassettes)
})

test.each([
  ['elsewhere', {}],
  ["on CI with the option orphans: 'warn'", { ...CI, OPTIONS: '{"orphans":"warn"}' }],
  ['where tests are skipped', { SKIPS: '1' }],
])('%s they are named and fail nothing', async (_, env: Record<string, string>) => {
  const run = await succeeds(project.run([], env))
  expect(orphansOf(run)).toEqual(ORPHANS.toSorted())
  await expectGolden(listIn(run), 'CI' in env ? 'named-on-ci' : 'named')
})

test.each([
  ['a file is chosen', ['stays']],
  ['tests are chosen by name', ['-t', 'stays']],
  ['it is one shard of two', ['--shard=1/2']],
])('a run says nothing where %s', async (_, args) => {
  const run = await succeeds(project.run(args, CI))
  expect(orphansOf(run)).toEqual([])
})

test('a run says nothing where a test fails, or where .only chooses one', async () => {
  const failed = await project.run([], { ...CI, FAILS: '1' })
  expect(failed.exitCode).toBe(1)
  expect(orphansOf(failed)).toEqual([])
  const only = new VitestProject(project.dir, { UPSTREAM_URL: upstream.oddUrl })
  only.edit('stays.test.ts', "test('stays'", "test.only('stays'")
  // Releases before 5 do not tell of .only; all tests of the file are known all the same.
  expect(orphansOf(await succeeds(only.run()))).toEqual(tellsOfOnly ? [] : ORPHANS.toSorted())
})

test('shards are judged together when their reports are merged', async () => {
  for (const shard of ['1/2', '2/2']) {
    const run = await succeeds(project.run([`--shard=${shard}`, '--reporter=blob'], CI))
    expect(orphansOf(run)).toEqual([])
  }
  const merged = await project.run(['--merge-reports'], CI)
  expect(merged.exitCode).toBe(1)
  expect(orphansOf(merged)).toEqual(ORPHANS.toSorted())
})

test('projects that share a folder are judged together, others on their own', async () => {
  const env = { UPSTREAM_URL: upstream.oddUrl, PROJECTS: '1' }
  const copy = new VitestProject(project.dir, env)
  await succeeds(copy.run([], { RECORD: 'new' }))
  expect(copy.files('packages/two/__recordings__')).toHaveLength(2)
  copy.edit('packages/two/three.test.ts', 'no more', 'now and then')
  await succeeds(copy.run(['three', '-t', 'now and then'], { RECORD: 'new' }))
  const run = await copy.run([], CI)
  expect(run.exitCode).toBe(1)
  // One of them runs a test that the others do not have.
  expect(run.output).not.toContain('is in two')
  expect(orphansOf(run)).toEqual([...ORPHANS, 'three.test.ts > is in a package no more'].toSorted())
  expect(orphansOf(await succeeds(copy.run(['--project', 'one'], CI)))).toEqual([])
})

async function succeeds(running: Promise<Run>): Promise<Run> {
  const run = await running
  expect(run.exitCode, run.output).toBe(0)
  return run
}

/** All that a run says of orphans. */
function listIn({ output }: Run): string {
  const [list] = /^ +Orphans .*\n(?: {13,}.*\n)*/m.exec(output)!
  return list
}

/** The names of the orphans that a run lists, sorted. */
function orphansOf({ output }: Run): string[] {
  const lists = Array.from(
    output.matchAll(/^ +Orphans .*\n((?: {13,}.*\n)*)/gm),
    ([, list]) => list!,
  )
  return Array.from(lists.join('').matchAll(/^ {13}(\S.*)$/gm), ([, id]) => id!)
    .filter((line) => !line.startsWith('See and delete'))
    .toSorted()
}
