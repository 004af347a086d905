import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { BUNDLED } from '../../tooling/bundled-packages.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

/** Packages that take long to load, and what of this package uses them. */
const HEAVY =
  /node_modules\/(?:@mswjs|@secretlint|@sindresorhus|diff|msw|picocolors|ws|zod)\/|vitest-cassette\/dist\/(?:beside|bypass|calls|closing|connections|engine|event-streams|gateway|keys|late|mcp|msw|multipart-parser|network|program-rules|replay|verbatim|zod)/

/** MSW, the part of it that this package ships, and what opens its network. */
const MSW = /node_modules\/@?msw|vitest-cassette\/dist\/(?:bypass|msw|network)/

let project: VitestProject

beforeAll(async () => {
  project = new VitestProject('light')
  const run = await project.run([], listing(project))
  expect(run.output).toContain('3 failed | 2 passed')
})

interface Told {
  pid: number
  builtins: string[]
}

/** Lets every process of a run name what it loads. */
function listing({ dir }: VitestProject): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import ${dir}/list-modules.mjs` }
}

/** What all processes of the runs of a project loaded, but for those that have their lists already. */
function loadedIn(project: VitestProject, but: readonly string[] = []): string[] {
  const lists = listsIn(project).filter((file) => !but.includes(file))
  return lists.flatMap((file) => project.read(file).split('\n'))
}

function listsIn(project: VitestProject): string[] {
  return project.files('.').filter((file) => file.startsWith('modules-'))
}

function loadedBy(name: string, by: VitestProject = project): string[] {
  const { pid } = JSON.parse(by.read(`${name}.json`)) as Told
  return by.read(`modules-${pid}`).split('\n')
}

/** What V8 counts in a process. */
interface Counted {
  result: Array<{ url: string; functions: Array<{ ranges: Array<{ count: number }> }> }>
}

/** The bytes of this package that a process has loaded, and how many of its functions ran. */
function countIn({ result }: Counted): { bytes: number; functions: number } {
  const ours = result.filter(({ url }) => url.includes('vitest-cassette/dist/'))
  const files = ours.map(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : url))
  const functions = ours.flatMap((one) => one.functions)
  return {
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    functions: functions.filter(({ ranges }) => ranges[0]!.count > 0).length,
  }
}

test('a file that asks no model loads neither msw, zod, the dialects nor what tells texts apart', () => {
  const loaded = loadedBy('quiet')
  expect(loaded.filter((url) => HEAVY.test(url))).toEqual([])
  expect(loaded).toContainEqual(expect.stringContaining('vitest-cassette/dist/runtime'))
})

test('nor does a file that imports the package to use its cassettes', () => {
  const loaded = loadedBy('using')
  expect(loaded.filter((url) => HEAVY.test(url))).toEqual([])
  expect(loaded).toContainEqual(expect.stringContaining('vitest-cassette/dist/index'))
})

test('a run of such files alone loads no more in the process of Vitest', async () => {
  const quiet = new VitestProject('light')
  const run = await quiet.run(['quiet'], listing(quiet))
  expect(run.output).toContain('1 passed')
  const loaded = loadedIn(quiet)
  expect(loaded).toContainEqual(expect.stringContaining('vitest-cassette/dist/plugin'))
  const heavy = loaded.filter((url) => /vitest-cassette/.test(url) && HEAVY.test(url))
  // It starts the workers, and gives them the guard.
  expect(heavy.filter((url) => !/dist\/(?:calls|closing|connections|keys|late)/.test(url))).toEqual(
    [],
  )
})

test('of this package it loads few bytes, and runs few functions', async () => {
  const quiet = new VitestProject('light')
  const env = { NODE_OPTIONS: `--import ${quiet.dir}/count-functions.mjs` }
  const run = await quiet.run(['quiet'], env)
  expect(run.output).toContain('1 passed')
  const { bytes, functions } = countIn(quiet.json('counts.json') as Counted)
  expect(bytes).toBeLessThan(74_300)
  expect(functions).toBeLessThan(125)
})

test("it loads none of Node's clients either", () => {
  const { builtins } = JSON.parse(project.read('quiet.json')) as Told
  expect(builtins).toContain('NativeModule fs')
  expect(builtins).not.toContain('NativeModule tls')
  expect(builtins).not.toContain('NativeModule http')
  expect(builtins).not.toContain('NativeModule http2')
  expect(builtins).not.toContain('NativeModule zlib')
  expect(builtins).not.toContain('NativeModule internal/webstreams/readablestream')
})

test('a file that asks by fetch loads the engine, and no msw', () => {
  const loaded = loadedBy('asking')
  expect(loaded).toContainEqual(expect.stringContaining('vitest-cassette/dist/engine'))
  expect(loaded.filter((url) => MSW.test(url))).toEqual([])
})

test('nor does it while it is recorded', async () => {
  const recorded = await record('asking')
  expect(loadedIn(recorded).filter((url) => MSW.test(url))).toEqual([])
})

test.each([
  [
    'by fetch',
    'asking',
    'sealed',
    /dist\/(?:connections|engine|gateway|mcp|options|network|replay|zod)/,
  ],
  ['over a socket', 'posting', 'sealed', /dist\/(?:engine|gateway|mcp|network|options|replay|zod)/],
  [
    'with options of its own',
    'choosing',
    'sealed',
    /dist\/(?:connections|engine|gateway|mcp|network|replay|zod)/,
  ],
])('what is recorded and asked word for word %s loads no engine', async (_, name, by, heavy) => {
  const recorded = await record(name)
  const replay = await recorded.run([name], listing(recorded))
  expect(replay.output).toContain('1 replayed')
  const loaded = loadedBy(name, recorded)
  expect(loaded).toContainEqual(expect.stringContaining(`vitest-cassette/dist/${by}`))
  expect(loaded.filter((url) => heavy.test(url))).toEqual([])
})

test('a run that only replays loads neither engine nor zod in any process, to sum up as little as to replay', async () => {
  const recorded = await record('asking')
  const before = listsIn(recorded)
  const replay = await recorded.run(['asking'], listing(recorded))
  expect(replay.output).toContain('1 replayed')
  const loaded = loadedIn(recorded, before)
  expect(loaded).toContainEqual(expect.stringContaining('vitest-cassette/dist/ended-parts'))
  expect(loaded.filter((url) => /dist\/(?:engine|explain|replay|zod)/.test(url))).toEqual([])
})

/** A project of its own, with the cassette of one test file. */
async function record(name: string): Promise<VitestProject> {
  const upstream = await startUpstream()
  const recorded = new VitestProject('light', { UPSTREAM_URL: upstream.url })
  const run = await recorded.record([name], listing(recorded)).finally(() => upstream.stop())
  expect(run.output).toContain('1 recorded')
  return recorded
}

test('the package has the licence of all code that is built into it', () => {
  // The build fails where it bundles another one. Of the last, data: its prices.
  const built = [...BUNDLED, '@pydantic/genai-prices']
  const licences = readFileSync(new URL('../../dist/LICENSES.txt', import.meta.url), 'utf8')
  const named =
    /^(\S+) \d\S+\n\n *(?:\(?(?:The )?MIT License|This software is released under the MIT license|Copyright \(c\) 2014, GMO GlobalSign|Apache License|BSD 3-Clause License)/gm
  expect([...licences.matchAll(named)].map(([, name]) => name)).toEqual(built.toSorted())
})
