import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dialects } from '../src/providers/dialects.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

/** The wings of `src/`, in the order in which ARCHITECTURE.md lists them. */
const wings = Array.from(
  architecture.matchAll(/^ {6}([\w.-]+?)\/?(?: +\S.*)?$/gm),
  ([, wing]) => wing!,
)

const MOST_DOORS = 16
const MOST_LINES = 600

const sources = filesBelow('src').map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}))

/** The imports from one wing into another, of every kind. */
const arrows = sources.flatMap(({ file, text }) =>
  localImports(file, text)
    .filter((target) => wingOf(target) !== wingOf(file))
    .map((target) => ({ from: file, to: target, says: `${file} imports ${target}` })),
)

test('ARCHITECTURE.md lists the wings of src/', () => {
  const there = new Set(sources.map(({ file }) => wingOf(file)))
  expect(wings.toSorted()).toEqual([...there].sort())
})

test('a wing imports only from the wings above it', () => {
  const wrong = arrows.filter(
    ({ from, to }) => wings.indexOf(wingOf(to)) >= wings.indexOf(wingOf(from)),
  )
  expect(wrong.map(({ says }) => says)).toEqual([])
})

test('what a wing imports from another is a door: a file at its top', () => {
  const wrong = arrows.filter(({ to }) => !isDoor(to))
  expect(wrong.map(({ says }) => says)).toEqual([])
})

test(`no wing has more than ${MOST_DOORS} doors`, () => {
  const doors = Map.groupBy(
    sources.filter(({ file }) => isDoor(file)),
    ({ file }) => wingOf(file),
  )
  const wide = [...doors].filter(([, files]) => files.length > MOST_DOORS)
  expect(wide.map(([wing, files]) => `${wing}: ${files.length}`)).toEqual([])
})

test('no test mocks a module: another file of its process may have loaded it already', () => {
  const tests = globSync('test/**/*.ts', {
    cwd: root,
    exclude: ['test/{.tmp,projects,lab/scenarios}/**', '**/__recordings__/**'],
  })
  expect(tests.length).toBeGreaterThan(500)
  const mocking = tests.filter((file) =>
    /^\s*vi\.(?:do)?mock\(/im.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(mocking).toEqual([])
})

test('a tool imports no other tool', () => {
  const wrong = sources.flatMap(({ file, text }) =>
    localImports(file, text)
      .filter((target) => toolOf(file) && toolOf(target) && toolOf(target) !== toolOf(file))
      .filter((target) => !SHARED.has(toolOf(target)!))
      .map((target) => `${file} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

test('a provider is a folder and its line in each of two lists: nothing else imports from it', () => {
  const wrong = sources.flatMap(({ file, text }) =>
    localImports(file, text)
      .filter((target) => providerOf(target) && providerOf(target) !== providerOf(file))
      .map((target) => `${file} imports ${target}`),
  )
  const others = wrong.filter((says) => !COPIED.some((pattern) => pattern.test(says)))
  expect(others.filter((says) => !says.startsWith(LISTS))).toEqual([])
  for (const { file, text } of sources.filter(({ file }) => file.startsWith(LISTS))) {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('//'))
    const listed = localImports(file, text).map(providerOf)
    expect([new Set(listed).size, listed.includes(undefined)]).toEqual([lines.length, false])
  }
})

test('each folder of a provider has its facts in one list, and its dialects in the other', () => {
  const folders = [...new Set(sources.flatMap(({ file }) => providerOf(file) ?? []))]
  const files = [
    ...folders.map((folder) => [`${LISTS}facts.ts`, `src/providers/${folder}/${folder}.ts`]),
    ...folders
      .map((folder) => [`${LISTS}dialects.ts`, `src/providers/${folder}/dialects.ts`])
      .filter(([, target]) => sources.some(({ file }) => file === target)),
  ] as Array<[list: string, target: string]>
  const left = files.filter(([list, target]) => !importsOf(list).includes(target))
  expect(left.map(([list, target]) => `${list} has no line for ${target}`)).toEqual([])
})

test('each command is in a group of the help', () => {
  const listed = importsOf('src/tools/commands.ts')
  const left = sources.filter(
    ({ file, text }) => / = defineCommand\(/.test(text) && !listed.includes(file),
  )
  expect(left.map(({ file }) => `src/tools/commands.ts does not import ${file}`)).toEqual([])
})

test('no file outside of the folder of a provider names its dialects, but those to write a prompt in', () => {
  const names = dialects.filter(({ name, writePrompt }) => name.includes('-') && !writePrompt)
  const wrong = sources
    .filter(({ file }) => providerOf(file) === undefined)
    .flatMap(({ file, text }) =>
      names.filter(({ name }) => text.includes(`'${name}'`)).map(({ name }) => `${file}: ${name}`),
    )
  expect(wrong).toEqual([])
})

test('no file passes on all that another exports', () => {
  const barrels = sources.filter(({ text }) => /^export (?:type )?\*/m.test(text))
  expect(barrels.map(({ file }) => file)).toEqual([])
})

test('ARCHITECTURE.md names the files of a replayed call: at most 8, of 5 wings, each once', () => {
  const [, way] = architecture.split("## A request's way\n")
  const named = Array.from(way!.matchAll(/^\d+\. `([\w./-]+)`/gm), ([, file]) => `src/${file}`)
  expect(named.length).toBeGreaterThan(5)
  expect(named.length).toBeLessThanOrEqual(8)
  expect(new Set(named).size).toBe(named.length)
  expect(new Set(named.map(wingOf)).size).toBeLessThanOrEqual(5)
  expect(named.filter((file) => !sources.some((source) => source.file === file))).toEqual([])
})

test.for(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s names files that there are', (page) => {
  const text = readFileSync(join(root, page), 'utf8')
  const named = Array.from(text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+)`/g), ([, path]) => path!)
  const missing = named.filter(
    (path) => ![path, `src/${path}`].some((at) => existsSync(join(root, at))),
  )
  expect(missing).toEqual([])
})

test(`no file has more than ${MOST_LINES} lines`, () => {
  const files = [...sources.map(({ file }) => file), ...filesBelow('test')]
  const long = files.filter(
    (file) => readFileSync(join(root, file), 'utf8').split('\n').length > MOST_LINES + 1,
  )
  expect(long).toEqual([])
})

test('a name is exported once', () => {
  const files = Map.groupBy(
    sources.flatMap(({ file, text }) => exportsOf(text).map((name) => ({ name, file }))),
    ({ name }) => name,
  )
  const twice = [...files].filter(([, places]) => places.length > 1)
  expect(twice.map(([name, places]) => [name, ...places.map(({ file }) => file)])).toEqual([])
})

test.for([
  ['msw', 'src/transports/intercept/'],
  ['vitest', 'src/runners/vitest/'],
])('%s is imported below %s alone', ([name, folder]) => {
  const importers = sources.filter(({ text }) =>
    new RegExp(`^import (?!type ).*from '${name}(/[^']*)?'`, 'm').test(text),
  )
  expect(importers.map(({ file }) => file).filter((file) => !file.startsWith(folder!))).toEqual([])
})

test.for(['engine', 'conversation'])('%s/ does no input and output', (folder) => {
  const impure = sources.filter(
    ({ file, text }) => wingOf(file) === folder && /from 'node:(fs|net|http)/.test(text),
  )
  expect(impure.map(({ file }) => file)).toEqual([])
})

test('wings that tests load have no file system and no paths but those of real/', () => {
  const ofRun = /^src\/(?:tools\/|runners\/vitest\/(?:reporters\/|set-up-projects|watch-mode))/
  // In a vm pool it imports, as that pool does with everything.
  const ofVmPool = 'src/transports/intercept/http/fetch-past-interception.ts'
  const fakeable = sources.filter(
    ({ file, text }) =>
      !ofRun.test(file) &&
      file !== ofVmPool &&
      /^import (?!type ).*'node:(?:fs(?:\/promises)?|path|os)'|await import\('[^.]/m.test(text),
  )
  expect(fakeable.map(({ file }) => file)).toEqual([])
})

test('every option and every error code says what it is', () => {
  const files = [
    'config/options',
    'config/parse-options',
    'errors',
    'histories/resume-conversation',
  ]
  const silent = [...files, 'runners/program/open-cassette'].flatMap((file) => {
    const { text } = sources.find((source) => source.file === `src/${file}.ts`)!
    const lists = text.match(/^export (?:interface [^]*?^\}$|type ErrorCode[^]*?\n$)/gm) ?? []
    return lists.flatMap((list) =>
      [...list.matchAll(/(.*)\n {2}(?:(\w+)\??: |\| '([\w-]+)')/g)].flatMap(
        ([, before, name, code]) => (before!.endsWith('*/') ? [] : [`${file}: ${name ?? code}`]),
      ),
    )
  })
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

test('no import goes in a circle, but those of types', () => {
  const imports = new Map(
    sources.map(({ file, text }) => {
      const values = text.replaceAll(/^(?:import|export) type [^]*? from '.*'$/gm, '')
      return [file, localImports(file, values)]
    }),
  )
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

function importsOf(file: string): string[] {
  return localImports(file, sources.find((source) => source.file === file)!.text)
}

function wingOf(file: string): string {
  return file.split('/')[1]!
}

function isDoor(file: string): boolean {
  return file.split('/').length <= 3
}

/** What several tools need. */
const SHARED = new Set(['compare', 'page', 'programs', 'sources', 'terminal'])

/** The folder of a tool. */
function toolOf(file: string): string | undefined {
  return /^src\/tools\/([\w-]+)\//.exec(file)?.[1]
}

const LISTS = 'src/providers/list/'

/** OpenAI's formats, parts of which most others have copied, and Anthropic's messages, which Bedrock carries. */
const COPIED = [/ imports src\/providers\/openai\//, /^src\/providers\/bedrock\/.+\/anthropic\//]

/** The folder of a provider. */
function providerOf(file: string): string | undefined {
  return /^src\/providers\/(?!kit\/|list\/|mcp\/|tables\/)([\w-]+)\//.exec(file)?.[1]
}

function exportsOf(text: string): string[] {
  return Array.from(
    text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm),
    ([, name]) => name!,
  )
}
