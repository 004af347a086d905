import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportFailure, ReportIndex } from '../../src/tools/page/data/report-data.ts'
import { screenshot } from '../engine/screens.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const PAGE = 'cassette-report/index.html'

let upstream: Upstream
let project: VitestProject
let runs: Record<'passed' | 'failed' | 'onCi', Run>
let indexes: Record<'passed' | 'failed', ReportIndex>

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('report', { UPSTREAM_URL: upstream.url })
  const pictures = { plain: await screenshot(), changed: await screenshot({ banner: true }) }
  for (const [name, base64] of Object.entries(pictures))
    writeFileSync(join(project.dir, `${name}.png`), Buffer.from(base64, 'base64'))
  const recording = await project.record([], { REPORT: 'elsewhere' })
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
  const passed = await project.run()
  const afterPassed = read('index') as ReportIndex
  const change = { WORD: 'quick', PICTURE: 'changed', SAYS: 'Nobody says this' }
  const onCi = await project.run([], { ...change, CI: '1' })
  const failed = await project.run([], change)
  runs = { passed, failed, onCi }
  indexes = { passed: afterPassed, failed: read('index') as ReportIndex }
})

afterAll(() => upstream.stop())

test('a run ends with a report of all cassettes, where the options say', () => {
  expect(runs.passed.exitCode, runs.passed.output).toBe(0)
  expect(runs.passed.output).toContain(`     Report  ${PAGE}\n`)
  expect(indexes.passed.rows.map(({ title }) => title).toSorted()).toEqual([
    'asks the first question',
    'asks the second question',
    'asks the third question',
    'expects another answer',
    'shows a picture',
  ])
  expect(indexes.passed.failures).toEqual([])
  expect(existsSync(join(project.dir, 'elsewhere/index.html'))).toBe(true)
})

test('a failure names its place in the report, and one that many tests share names one', () => {
  const url = pathToFileURL(join(project.dir, PAGE)).href
  const places = runs.failed.output.match(/^ {2}report {4}\S+$/gm)!
  expect(places).toHaveLength(2)
  const [shared, picture] = places.map((line) => line.trim().split(/ +/)[1]!)
  expect(shared!.startsWith(`${url}#/__recordings__/report.test.ts/asks-the-first-`)).toBe(true)
  expect(picture!.startsWith(`${url}#/__recordings__/report.test.ts/shows-a-picture-`)).toBe(true)
  expect(runs.failed.output.match(/^CassetteError: /gm)).toHaveLength(2)
  const path = decodeURIComponent(picture!.split('#/')[1]!)
  expect(indexes.failed.rows.map((row) => row.path)).toContain(path)
})

test('on CI it is the path in the folder, which nobody can open there', () => {
  expect(runs.onCi.output).toMatch(
    /^ {2}report {4}cassette-report\/index\.html#\/__recordings__\//m,
  )
})

test('the report has each failure once, with its diff, its tests and its pictures', () => {
  const { failures } = indexes.failed
  expect(failures.map(({ headline, tests }) => [headline, tests.length])).toEqual([
    [expect.stringMatching(/^The prompt changed: .*system/), 3],
    [expect.stringMatching(/^The prompt changed: /), 1],
    [expect.stringMatching(/^expected .* to contain 'Nobody says this'/), 1],
  ])
  expect(failures[0]!.tests[0]!.title).toBe('report.test.ts > asks the first question')
  const [shared, picture] = failures.map(({ id }) => read(id) as ReportFailure)
  const lines = shared!.lines.map(
    ({ kind, spans }) => `${kind} ${spans.map(({ text }) => text).join('')}`,
  )
  expect(lines).toContainEqual(expect.stringMatching(/^removed {5}- .*kind/))
  expect(lines).toContainEqual(expect.stringMatching(/^added {5}\+ .*quick/))
  const [{ recorded, asked }] = picture!.pictures as [{ recorded: string; asked: string }]
  expect(recorded).not.toBe(asked)
  for (const name of [recorded, asked])
    expect(existsSync(join(project.dir, 'cassette-report/blobs', name))).toBe(true)
})

test('a folder with anything else in it is left alone, and the run ends as it would', async () => {
  const { exitCode, output } = await project.run(['-t', 'asks nobody'], { REPORT: '.' })
  expect(exitCode, output).toBe(0)
  expect(output).toMatch(/^ {5}Report {2}/m)
  expect(project.files('.').filter((file) => file === 'index.html')).toEqual([])
})

test('a cassette that cannot be read is named at the end of the run, and in the report', async () => {
  const own = new VitestProject(project.dir)
  own.write(own.cassette('expects-another'), '<<<<<<< HEAD\n')
  const { output } = await own.run(['-t', 'asks nobody'])
  expect(output).toMatch(/ {5}Report .*\n {13}The cassette .*expects-another.* cannot be read: /)
  const { unread, rows } = read('index', own) as ReportIndex
  expect([unread.length, rows.length]).toEqual([1, 4])
})

/** What a data file of the report hands to the page. */
function read(name: string, where = project): unknown {
  let received: unknown
  const receiveReport = (_: string, value: unknown): void => void (received = value)
  runInNewContext(where.read(`cassette-report/data/${name}.js`), { receiveReport })
  return received
}
