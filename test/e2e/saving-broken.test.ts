import { lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject, type Run } from './vitest-project.ts'

/** How each cassette is broken. */
const BROKEN: Array<[title: string, damage: (text: string) => string]> = [
  ['truncated', (text) => text.slice(0, 400)],
  ['in conflict', (text) => text.replace('  "exchanges"', '<<<<<<< HEAD\n  "exchanges"')],
  ['of version 3', (text) => text.replace(/"version": "2\.\d"/, '"version": "3.0"')],
  ['without a field', (text) => text.replace(/"status": \d+,/, '')],
  ['with a field too many', (text) => text.replace('"metadata":', '"hush": 1, "metadata":')],
  [
    'with a reference to nowhere',
    (text) => text.replace('{ "$": "prompt" }', '{ "$": "exchange-7.prompt" }'),
  ],
  ['linked', (text) => text],
]

let upstream: Upstream
let project: VitestProject
let runs: Record<'replay' | 'RECORD=new', Run>
let codes: Record<'replay' | 'RECORD=new' | 'RECORD=1', string[]>
let recording: Run
let paths: Record<string, string>
let before: Record<string, string>
let after: Record<string, string>
let requests: number

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('saving', { UPSTREAM_URL: upstream.oddUrl })
  const { exitCode, output } = await project.record(['broken.test.ts'])
  expect(exitCode, output).toBe(0)
  paths = Object.fromEntries(BROKEN.map(([title]) => [title, cassetteOf(title)]))
  for (const [title, damage] of BROKEN) {
    const path = paths[title]!
    const text = project.read(path)
    if (title === 'linked') linkTo(path)
    else project.write(path, damage(text))
    if (title !== 'linked') expect(project.read(path)).not.toBe(text)
  }
  before = contents()
  const asked = await upstream.count()
  const replay = await project.run(['broken.test.ts'])
  const ofReplay = codesOfFailures()
  runs = { replay, 'RECORD=new': await project.run(['broken.test.ts'], { RECORD: 'new' }) }
  const ofNew = codesOfFailures()
  requests = (await upstream.count()) - asked
  after = contents()
  recording = await project.record(['broken.test.ts'])
  codes = { replay: ofReplay, 'RECORD=new': ofNew, 'RECORD=1': codesOfFailures() }
})

afterAll(() => upstream.stop())

test.each(['replay', 'RECORD=new'] as const)(
  'in %s, each fails its test with file, place and way out',
  async (mode) => {
    const run = runs[mode]
    expect(run.exitCode).toBe(1)
    const texts = BROKEN.map(([title]) => {
      const text = failureOfCassette(run, title)
      expect(text).toContain(paths[title])
      expect(text).toContain('npx vitest-cassette record broken.test.ts')
      return `# ${title}\n${text}`
    })
    await expectGolden(texts.join(''), 'broken')
    expect(run.output.match(/^ ❯ broken\.test\.ts:/gm)).toHaveLength(BROKEN.length)
    expect(codes[mode]).toEqual(BROKEN.map(() => 'invalid-cassette'))
  },
)

test('every byte of what cannot be read stays, and no provider is asked', () => {
  expect(after).toEqual(before)
  expect(lstatSync(join(project.dir, paths.linked!)).isSymbolicLink()).toBe(true)
  expect(requests).toBe(0)
})

test('a recording, as the failure advises it, takes the place of what cannot be read, and keeps it outside of git', async () => {
  const titles = BROKEN.map(([title]) => title).filter((title) => title !== 'linked')
  for (const title of titles) {
    const path = paths[title]!
    const kept = `node_modules/.cache/vitest-cassette/unreadable/${path}`
    expect(recording.output).toContain(` ${kept}.\n`)
    expect(project.read(kept)).toBe(before[path])
    expect(JSON.parse(project.read(path))).toMatchObject({ version: expect.any(String) })
  }
  expect(recording.output).toContain(`${titles.length} passed`)
  const told = recording.output.match(/^\[vitest-cassette\] (?!\{).*unreadable\/.*$/gm)!
  await expectGolden(told.join('\n'), 'recorded-again')
})

test('RECORD=1 follows no link', () => {
  expect(recording.exitCode).toBe(1)
  expect(failureOfCassette(recording, 'linked')).toContain(paths.linked)
  expect(codes['RECORD=1']).toEqual(['invalid-cassette'])
  expect(recording.output).toContain('1 failed')
})

test('a cassette over maxCassetteBytes fails its test and names the option', async () => {
  const run = await project.run(['broken.test.ts', '-t', 'of version'], { MAX_BYTES: '99' })
  expect(run.exitCode).toBe(1)
  expect(codesOfFailures()).toEqual(['invalid-cassette'])
  await expectGolden(failureOfCassette(run, 'of version 3'), 'too-large')
})

test('a recording over maxCassetteBytes is written, and its test fails at once', async () => {
  rmSync(join(project.dir, paths['of version 3']!))
  const args = ['broken.test.ts', '-t', 'of version']
  const run = await project.record(args, { MAX_BYTES: '99' })
  expect(run.exitCode).toBe(1)
  expect(codesOfFailures()).toEqual(['unwritten'])
  await expectGolden(failureOfCassette(run, 'of version 3'), 'recorded-too-large')
})

/** What a run prints for the test of a cassette, without what Node says of JSON and the sizes of files. */
function failureOfCassette(run: Run, title: string): string {
  return failureIn(run, `broken.test.ts > a cassette ${title}\n`)
    .replace(/(it is not JSON: ).*/, '$1<what Node says>')
    .replace(/\d+ bytes/, '<bytes>')
}

/** Why each test of the last run failed. */
function codesOfFailures(): string[] {
  const { tests } = project.json('node_modules/.cache/vitest-cassette/failures.json')
  return tests.map(({ code }: { code: string }) => code)
}

function cassetteOf(title: string): string {
  return project.cassette(`a-cassette-${title.replaceAll(' ', '-')}-`)
}

/** Puts a link in the place of a cassette. */
function linkTo(path: string): void {
  const target = join(project.dir, basename(path))
  renameSync(join(project.dir, path), target)
  symlinkSync(target, join(project.dir, path))
}

function contents(): Record<string, string> {
  const entries = Object.values(paths).map((path) => [path, project.read(path)])
  return Object.fromEntries(entries) as Record<string, string>
}
