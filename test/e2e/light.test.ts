import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { startUpstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

/** Packages that take long to load, and what of this package uses them. */
const HEAVY =
  /node_modules\/(?:@mswjs|@secretlint|@sindresorhus|diff|msw|ws|zod)\/|vitest-cassette\/dist\/(?:engine|network|zod)/

let project: VitestProject

beforeAll(async () => {
  project = new VitestProject('light')
  const list = `--import ${project.dir}/list-modules.mjs`
  const run = await project.run([], { NODE_OPTIONS: list })
  expect(run.output).toContain('1 failed | 2 passed')
})

interface Told {
  pid: number
  builtins: string[]
}

function loadedBy(name: string): string[] {
  const { pid } = JSON.parse(project.read(`${name}.json`)) as Told
  return project.read(`modules-${pid}`).split('\n')
}

test('a file that asks no model loads neither msw, zod, the dialects nor what tells texts apart', () => {
  const loaded = loadedBy('quiet')
  expect(loaded.filter((url) => HEAVY.test(url))).toEqual([])
  expect(loaded).toContainEqual(expect.stringContaining('vitest-cassette/dist/runtime'))
})

test('a run of such files alone loads no more in the process of Vitest, beside what checks options', async () => {
  const quiet = new VitestProject('light')
  const list = `--import ${quiet.dir}/list-modules.mjs`
  const run = await quiet.run(['quiet'], { NODE_OPTIONS: list })
  expect(run.output).toContain('1 passed')
  const lists = quiet.files('.').filter((file) => file.startsWith('modules-'))
  const loaded = lists.flatMap((file) => quiet.read(file).split('\n'))
  expect(loaded).toContainEqual(expect.stringContaining('vitest-cassette/dist/plugin'))
  const heavy = loaded.filter((url) => /vitest-cassette/.test(url) && HEAVY.test(url))
  expect(heavy.filter((url) => !/dist\/zod/.test(url))).toEqual([])
})

test("it loads none of Node's clients either", () => {
  const { builtins } = JSON.parse(project.read('quiet.json')) as Told
  expect(builtins).not.toContain('NativeModule tls')
  expect(builtins).not.toContain('NativeModule http')
  expect(builtins).not.toContain('NativeModule http2')
})

test('a file that asks by fetch loads the engine, and no msw', () => {
  const loaded = loadedBy('asking')
  expect(loaded).toContainEqual(expect.stringContaining('vitest-cassette/dist/engine'))
  expect(loaded.filter((url) => /node_modules\/@?msw/.test(url))).toEqual([])
})

test('nor does it while it is recorded', async () => {
  const upstream = await startUpstream()
  const recorded = new VitestProject('light', { UPSTREAM_URL: upstream.url })
  const list = `--import ${recorded.dir}/list-modules.mjs`
  const run = await recorded.record(['asking'], { NODE_OPTIONS: list })
  await upstream.stop()
  expect(run.output).toContain('1 recorded')
  const lists = recorded.files('.').filter((file) => file.startsWith('modules-'))
  const loaded = lists.flatMap((file) => recorded.read(file).split('\n'))
  expect(loaded.filter((url) => /node_modules\/@?msw/.test(url))).toEqual([])
})

test('a file that imports the package to use its cassettes loads what checks options, as one file, and no more', () => {
  const heavy = loadedBy('using').filter((url) => HEAVY.test(url))
  expect(heavy.filter((url) => !/dist\/zod/.test(url))).toEqual([])
  expect(heavy).toHaveLength(1)
})

test('the package has the licence of all code that is built into it', () => {
  const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
  const files = readdirSync(dist).filter((file) => file.endsWith('.mjs'))
  const text = files.map((file) => readFileSync(dist + file, 'utf8')).join('\n')
  const built = new Set(text.match(/(?<=\/\/ node_modules\/)(?:@[^/]+\/)?[^/]+/g))
  const licences = readFileSync(`${dist}LICENSES.txt`, 'utf8')
  expect([...licences.matchAll(/^(\S+)\n\n.*MIT license/gim)].map(([, name]) => name)).toEqual(
    [...built].toSorted(),
  )
})
