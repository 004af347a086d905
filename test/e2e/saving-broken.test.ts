import { lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

/** How each cassette is broken, and what the failure says is wrong with it. */
const BROKEN: Array<[title: string, damage: (text: string) => string, problem: RegExp]> = [
  ['truncated', (text) => text.slice(0, 400), /it is not JSON: /],
  [
    'in conflict',
    (text) => text.replace('  "exchanges"', '<<<<<<< HEAD\n  "exchanges"'),
    /line \d+ is a merge conflict marker; two branches recorded this test differently/,
  ],
  [
    'of version 2',
    (text) => text.replace(/"version": "1\.\d"/, '"version": "3.0"'),
    /its format has version 2\.0, and this release reads 1\.\d; a newer vitest-cassette wrote it/,
  ],
  [
    'without a field',
    (text) => text.replace(/"text": "[^"]+",/, ''),
    /at \/exchanges\/0\/prompt\/text: this field is missing/,
  ],
  [
    'with a field too many',
    (text) => text.replace('"metadata":', '"hush": 1, "metadata":'),
    /at \/exchanges\/0\/prompt: unknown field 'hush'/,
  ],
  [
    'with a reference to nowhere',
    (text) => text.replace('"$same": "exchange-1"', '"$same": "exchange-7"'),
    /the reference to exchange-7 at \/messages\S* leads nowhere/,
  ],
  ['linked', (text) => text, /linked-\w+\.json is a symbolic link, which could lead anywhere/],
]

let upstream: Upstream
let project: VitestProject
let runs: Record<'replay' | 'RECORD=new', Run>
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
  runs = {
    replay: await project.run(['broken.test.ts']),
    'RECORD=new': await project.run(['broken.test.ts'], { RECORD: 'new' }),
  }
  requests = (await upstream.count()) - asked
  after = contents()
  recording = await project.record(['broken.test.ts'])
})

afterAll(() => upstream.stop())

test.each(
  BROKEN.flatMap(([title, , problem]) => [
    ['replay' as const, title, problem] as const,
    ['RECORD=new' as const, title, problem] as const,
  ]),
)('in %s, a cassette %s fails its test with file, place and way out', (mode, title, problem) => {
  const { exitCode, output } = runs[mode]
  expect(exitCode).toBe(1)
  const [, block = ''] = output.split(` FAIL  broken.test.ts > a cassette ${title}\n`)
  const [text] = block.split('⎯⎯⎯')
  expect(text, output).toMatch(/^CassetteError: The cassette __recordings__\/.* cannot be read: /)
  expect(text).toContain(paths[title])
  expect(text).toMatch(problem)
  expect(text).toMatch(
    /Restore the file from git, or record the test again|Replace the link by the file/,
  )
  expect(text).toContain('npx vitest-cassette record broken.test.ts')
  expect(text).toContain('❯ broken.test.ts:')
})

test('every byte of what cannot be read stays, and no provider is asked', () => {
  expect(after).toEqual(before)
  expect(lstatSync(join(project.dir, paths.linked!)).isSymbolicLink()).toBe(true)
  expect(requests).toBe(0)
})

test('a recording, as the failure advises it, takes the place of what cannot be read, and keeps it outside of git', () => {
  const titles = BROKEN.map(([title]) => title).filter((title) => title !== 'linked')
  for (const title of titles) {
    const path = paths[title]!
    const kept = `node_modules/.cache/vitest-cassette/unreadable/${path}`
    expect(recording.output).toContain(
      `${path} could not be read, so it was recorded again. The old file is kept in ${kept}.`,
    )
    expect(project.read(kept)).toBe(before[path])
    expect(JSON.parse(project.read(path))).toMatchObject({ version: expect.any(String) })
  }
  expect(recording.output).toContain(`${titles.length} passed`)
})

test('RECORD=1 follows no link', () => {
  expect(recording.exitCode).toBe(1)
  expect(recording.output).toContain(`${paths.linked} is a symbolic link`)
  expect(recording.output).toContain('1 failed')
})

test('a cassette over maxCassetteBytes fails its test and names the option', async () => {
  const { exitCode, output } = await project.run(['broken.test.ts', '-t', 'of version'], {
    MAX_BYTES: '99',
  })
  expect(exitCode).toBe(1)
  expect(output).toMatch(/it has \d+ bytes, more than the 99 that maxCassetteBytes allows/)
  expect(output).toContain('If the file is right, raise the option maxCassetteBytes.')
})

test('a recording over maxCassetteBytes is written, and its test fails at once', async () => {
  rmSync(join(project.dir, paths['of version 2']!))
  const args = ['broken.test.ts', '-t', 'of version']
  const { exitCode, output } = await project.record(args, { MAX_BYTES: '99' })
  expect(exitCode).toBe(1)
  expect(output).toContain(`${paths['of version 2']} was written, but no replay will read it: `)
  expect(output).toMatch(
    /it has \d+ bytes, more than the 99 that maxCassetteBytes allows\n[^]*Raise the option maxCassetteBytes/,
  )
})

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
