import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

/** The rooms of `src/`, in the order in which the tree in ARCHITECTURE.md lists them. */
const rooms = Array.from(
  architecture.matchAll(/^ {6}([\w./-]+?)\/?(?: +\S.*)?$/gm),
  ([, room]) => `src/${room}`,
)

const sources = filesBelow('src').map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}))

test('the tree in ARCHITECTURE.md lists every room of src/', () => {
  const there = new Set(sources.map(({ file }) => roomOf(file)))
  there.delete('src/runners/index.ts')
  expect(rooms.toSorted()).toEqual([...there].sort())
})

test('a room imports only rooms that the tree lists above it', () => {
  const wrong = sources
    .filter(({ file }) => file !== 'src/runners/index.ts')
    .flatMap(({ file, text }) =>
      localImports(file, text)
        .filter((target) => roomOf(target) !== roomOf(file))
        .filter((target) => rooms.indexOf(roomOf(target)) >= rooms.indexOf(roomOf(file)))
        .map((target) => `${file} imports ${target}`),
    )
  expect(wrong).toEqual([])
})

test('no room has more than 30 files', () => {
  const files = Map.groupBy(sources, ({ file }) => roomOf(file))
  expect([...files].filter(([, all]) => all.length > 30).map(([room]) => room)).toEqual([])
})

test('ARCHITECTURE.md names the files of a replayed call: at most 12, each once', () => {
  const [, way] = architecture.split("## A request's way\n")
  const named = Array.from(way!.matchAll(/^\d+\. `([\w./-]+)`/gm), ([, file]) => `src/${file}`)
  expect(named.length).toBeGreaterThan(5)
  expect(named.length).toBeLessThanOrEqual(12)
  expect(new Set(named).size).toBe(named.length)
  expect(named.filter((file) => !sources.some((source) => source.file === file))).toEqual([])
})

test('no file has more than 250 lines', () => {
  const files = [...sources.map(({ file }) => file), ...filesBelow('test')]
  const long = files.filter(
    (file) => readFileSync(join(root, file), 'utf8').split('\n').length > 251,
  )
  expect(long).toEqual([])
})

test.for([
  ['msw', 'intercept'],
  ['vitest', 'vitest'],
])('%s is imported by %s/ alone', ([name, folder]) => {
  const importers = sources.filter(({ text }) => new RegExp(`from '${name}(/[^']*)?'`).test(text))
  expect(importers.filter(({ file }) => entryOf(file) !== folder).map(({ file }) => file)).toEqual(
    [],
  )
})

test.for(['engine', 'conversation'])('%s/ does no input and output', (folder) => {
  const impure = sources.filter(
    ({ file, text }) => entryOf(file) === folder && /from 'node:(fs|net|http)/.test(text),
  )
  expect(impure.map(({ file }) => file)).toEqual([])
})

test('rooms that tests load have no file system but that of real/', () => {
  const others = /^(?:cli|mutate|rehearse|report|review|verify)$/
  const ofRun = /^src\/vitest\/(?:reporters\/|set-up-projects|watch-mode)/
  // In a vm pool it imports, as that pool does with everything.
  const ofVmPool = 'src/transports/intercept/http/fetch-past-interception.ts'
  const fakeable = sources.filter(
    ({ file, text }) =>
      !others.test(entryOf(file)) &&
      !ofRun.test(file) &&
      file !== ofVmPool &&
      /^import (?!type ).*'node:fs(?:\/promises)?'|await import\('[^.]/m.test(text),
  )
  expect(fakeable.map(({ file }) => file)).toEqual([])
})

test('cli/ imports neither intercept/ nor vitest/', () => {
  const wrong = sources.filter(
    ({ file, text }) => entryOf(file) === 'cli' && /'\.\.\/(intercept|vitest)\//.test(text),
  )
  expect(wrong.map(({ file }) => file)).toEqual([])
})

test('the public API exports nothing of cli/', () => {
  const { text } = sources.find(({ file }) => file === 'src/runners/index.ts')!
  expect(text).not.toContain('./cli/')
})

test('every option and every error code says what it is', () => {
  const files = ['config/options', 'config/image-options', 'config/price', 'errors']
  const silent = [...files, 'resume/resume-conversation', 'program/open-cassette'].flatMap(
    (file) => {
      const { text } = sources.find((source) => source.file === `src/${file}.ts`)!
      const lists = text.match(/^export (?:interface [^]*?^\}$|type ErrorCode[^]*?\n$)/gm) ?? []
      return lists.flatMap((list) =>
        [...list.matchAll(/(.*)\n {2}(?:(\w+)\??: |\| '([\w-]+)')/g)].flatMap(
          ([, before, name, code]) => (before!.endsWith('*/') ? [] : [`${file}: ${name ?? code}`]),
        ),
      )
    },
  )
  expect(silent).toEqual([])
})

test('nothing but the guard loads node:worker_threads, whose class a vm pool then never sees guarded', () => {
  const others = sources.filter(
    ({ file, text }) =>
      /^import (?!type ).*from 'node:worker_threads'/m.test(text) && !file.includes('/guard/'),
  )
  expect(others.map(({ file }) => file)).toEqual([])
})

test('only errors.ts extends Error', () => {
  const others = sources
    .filter(({ text }) => /extends \w*Error\b/.test(text))
    .map(({ file }) => file)
  expect(others).toEqual(['src/errors.ts'])
})

test('no import goes in a circle', () => {
  const imports = new Map(sources.map(({ file, text }) => [file, localImports(file, text)]))
  const done = new Set<string>()
  const circles: string[] = []
  function visit(file: string, path: string[]): void {
    if (path.includes(file)) return void circles.push([...path, file].join(' -> '))
    if (done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  expect(circles).toEqual([])
})

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    // In `.tmp` other tests come and go, with links that lead back here.
    if (entry.isDirectory()) return entry.name === '.tmp' ? [] : filesBelow(path)
    return entry.isFile() && /\.m?ts$/.test(path) ? [path] : []
  })
}

function localImports(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, target]) =>
    relative(root, join(root, dirname(file), target!)),
  )
}

function entryOf(file: string): string {
  return file.split('/')[1]!
}

/** The folder of a file; a file at the top is a room of its own. */
function roomOf(file: string): string {
  return dirname(file) === 'src' ? file : dirname(file)
}
