import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { needs, readOnly } from '../needs.ts'
import { pools } from './pools.ts'
import { VitestProject } from './vitest-project.ts'

const FOLDER = 'node_modules/.cache/vitest-cassette/compiled'

const OWN_COVERAGE = JSON.stringify({
  enabled: true,
  provider: 'custom',
  customProviderModule: './provider.ts',
})

/** What a test saw of the cache, in its worker and in a child. */
interface Seen {
  dir: string
  own?: string
  ofChild: string
}

/** A project as an installation leaves it. The runs of this suite have a cache of their own. */
function installed(): VitestProject {
  const project = new VitestProject('compiled', { NODE_COMPILE_CACHE: undefined })
  mkdirSync(join(project.dir, 'node_modules'))
  return project
}

async function seenIn(project: VitestProject, args: string[] = [], env = {}): Promise<Seen> {
  const { exitCode, output } = await project.run(args, env)
  expect(exitCode, output).toBe(0)
  return project.json('seen.json') as Seen
}

test.each(pools)(
  'Node keeps what workers compile in the pool %s, and the programs of tests know nothing of it',
  async (pool) => {
    const project = installed()
    const seen = await seenIn(project, [`--pool=${pool}`])
    expect(seen.dir).toContain(join(project.dir, FOLDER))
    expect(seen.own).toBeUndefined()
    expect(seen.ofChild).toBe('undefined')
    expect(project.files(FOLDER).length).toBeGreaterThan(10)
  },
)

test('a second run, of another package, uses what still fits', async () => {
  const project = installed()
  await seenIn(project)
  const [first = ''] = project.files(FOLDER)
  writeFileSync(join(project.dir, FOLDER, first), 'torn')
  const kept = project.files(FOLDER).length
  await Promise.all([seenIn(project), seenIn(project)])
  expect(project.files(FOLDER)).toHaveLength(kept)
})

test('files of one worker share it', async () => {
  const project = installed()
  await seenIn(project, ['--no-isolate', '--maxWorkers=1'])
  expect((project.json('other.json') as Seen).own).toBeUndefined()
})

test.each([
  ['by the option', { OPTIONS: '{ "compileCache": false }' }],
  ['in mode off', { OPTIONS: '{ "mode": "off" }' }],
  ['by the variable of Node', { NODE_DISABLE_COMPILE_CACHE: '1' }],
  ['by coverage', { COVERAGE: OWN_COVERAGE }],
  ['by a tool that measures coverage', { NODE_V8_COVERAGE: 'coverage' }],
])('it is turned off %s', async (_, env) => {
  const project = installed()
  expect((await seenIn(project, [], env)).dir).toBe('')
  expect(project.files(FOLDER)).toEqual([])
})

test('a cache of the user stays', async () => {
  const project = installed()
  const own = join(project.dir, 'own')
  const seen = await seenIn(project, [], { NODE_COMPILE_CACHE: own })
  expect(seen).toMatchObject({ own, ofChild: own })
  expect(seen.dir).toContain(own)
  expect(project.files(FOLDER)).toEqual([])
})

test('nothing is kept where no package is installed', async () => {
  const project = installed()
  rmSync(join(project.dir, 'node_modules'), { recursive: true })
  expect((await seenIn(project)).dir).toBe('')
})

for (const [what, machine, make] of [
  ['is a file', needs(), (path: string) => void writeFileSync(path, '')],
  [
    'cannot be written',
    needs('unprivileged-user'),
    (path: string) => (mkdirSync(path), readOnly(path)),
  ],
] as const)
  test(`a run passes where the folder ${what}`, machine, async () => {
    const project = installed()
    const path = join(project.dir, FOLDER)
    mkdirSync(dirname(path), { recursive: true })
    using _ = make(path)
    await seenIn(project)
  })
