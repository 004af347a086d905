import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { workspace } from './install-package.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const CI = { CI: '1' }
const RECORD = { RECORD: '1' }

/** Where the plugin is, by what is in the environment of the config files. */
const SHAPES: Record<string, Record<string, string>> = {
  'in the root alone': { ROOT_PLUGIN: '1' },
  'in the root, over inline projects': { ROOT_PLUGIN: '1', INLINE: 'yes' },
  'in the root, which inline projects extend': { ROOT_PLUGIN: '1', INLINE: 'extends' },
  'in the root and in some packages': { ROOT_PLUGIN: '1', IN: 'ab' },
  'in the root, which inline projects extend, and in one of them': {
    ROOT_PLUGIN: '1',
    INLINE: 'extends',
    IN: 'a',
  },
  'in each package': { IN: 'abc' },
}

const THREE_TESTS = `import { test } from 'vitest'
import { ask } from '../../../ask.ts'

test.for(['one', 'two', 'three'])('%s', (text) => ask(text))
`

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('monorepo', { UPSTREAM_URL: upstream.oddUrl })
})
afterAll(() => upstream.stop())

test.each(Object.entries(SHAPES))(
  'with the plugin %s no project of a run is live: each records its own and replays it',
  async (_, shape) => {
    const own = new VitestProject('monorepo', { UPSTREAM_URL: upstream.oddUrl })
    const before = await upstream.count()
    const unrecorded = await own.run([], { ...shape, ...CI })
    expect(unrecorded.exitCode).toBe(1)
    expect(unrecorded.output).toContain('Tests  3 failed (3)')
    expect(missed(unrecorded)).toBe(3)
    expect(await upstream.count()).toBe(before)
    const recorded = await own.run([], { ...shape, ...RECORD })
    expect(recorded.output).toContain('3 recorded')
    expect(await upstream.count()).toBe(before + 3)
    for (const name of ['a', 'b', 'c']) {
      const dir = shape.IN?.includes(name) ? 'own' : '__recordings__'
      expect(own.files(`packages/${name}/${dir}`)).toEqual([expect.stringMatching(/^greet/)])
    }
    const replayed = await own.run([], { ...shape, ...CI })
    expect(replayed.exitCode).toBe(0)
    expect(replayed.output).toContain('3 replayed')
    // Nothing is installed twice.
    expect(replayed.output.match(/Cassettes/g)).toHaveLength(1)
    expect(await upstream.count()).toBe(before + 3)
  },
)

test.each([
  ['', {}],
  [' on CI', CI],
])(
  'a run of which some projects have the plugin, and the root has not, does not start%s',
  async (_, env) => {
    const before = await upstream.count()
    const run = await project.run([], { IN: 'a', ...env })
    expect(run.exitCode).toBe(1)
    await expectGolden(/CassetteError: [^]*?(?=\] \{)/.exec(run.output)![0], 'not-covered')
    expect(run.output).toContain("code: 'invalid-option'")
    expect(await upstream.count()).toBe(before)
    // What is not chosen is no part of the run.
    const chosen = await project.run(['--project', 'a'], { IN: 'a', ...env })
    expect(missed(chosen)).toBe(1)
  },
)

test('a failure names project, path and command as they are typed where the run was started', async () => {
  const before = await upstream.count()
  const root = await project.run([], { ROOT_PLUGIN: '1' })
  expect(await upstream.count()).toBe(before)
  for (const name of ['a', 'b', 'c'])
    expect(root.output).toContain(`  cassette  packages/${name}/__recordings__/greet.test.ts/`)
  expect(root.output).toContain('3 tests of 3 files in 3 projects')
  const one = await project.run(['--project', 'b'], { ROOT_PLUGIN: '1' })
  const [command] = /npx vitest-cassette record .*--project b .*/.exec(one.output)!
  const own = new VitestProject('monorepo', { UPSTREAM_URL: upstream.oddUrl })
  const recorded = await own.shell(command, { ROOT_PLUGIN: '1' })
  expect(recorded.output).toContain('1 recorded')
  expect(own.files('packages/b/__recordings__')).toHaveLength(1)
  own.write('packages/c/more.test.ts', THREE_TESTS)
  const three = await own.run(['--project', 'c'], { ROOT_PLUGIN: '1' })
  expect(three.output).toContain('  npx vitest-cassette record --missing --project c\n')
  const inside = await own.runIn('packages/a', [], { IN: 'a' })
  expect(inside.output).toContain('  cassette  own/greet.test.ts/')
  expect(inside.output).not.toContain('--project')
})

test('record, verify, list and prune work from the root and from a package', async () => {
  const own = new VitestProject('monorepo', { UPSTREAM_URL: upstream.oddUrl })
  const cli = `node ${join(workspace(), 'node_modules/vitest-cassette/dist/cli.mjs')}`
  const recorded = await own.shell(`${cli} record`, { ROOT_PLUGIN: '1' })
  expect(recorded.output).toContain('3 recorded')
  expect((await own.shell(`${cli} verify`)).output).toMatch(/^3 cassettes, .*: no problem/)
  expect((await own.shell(`cd packages/a && ${cli} verify`)).output).toMatch(/^1 cassette, /)
  expect((await own.shell(`${cli} show`)).output).toContain('packages/c/__recordings__/greet')
  own.write(
    'packages/b/other.test.ts',
    "import { test } from 'vitest'\n\ntest('is there', () => {})\n",
  )
  own.remove('packages/b/greet.test.ts')
  const orphan = 'packages/b/__recordings__/greet.test.ts/'
  const named = await own.run([], { ROOT_PLUGIN: '1', ...CI })
  expect(named.exitCode).toBe(1)
  expect(orphansIn(named)).toEqual(['1 cassette'])
  const pruned = await own.shell(`${cli} prune --yes`, { ROOT_PLUGIN: '1' })
  expect(pruned.output).toContain(orphan)
  expect(own.files('packages/b/__recordings__')).toEqual([])
  expect(own.files('packages/a/__recordings__')).toHaveLength(1)
  const inside = await own.shell(`cd packages/a && ${cli} prune`, { IN: 'a' })
  expect(inside.output).not.toContain('packages/c')
})

test('shards are judged together, with the plugin in the root alone', async () => {
  const own = new VitestProject('monorepo', { UPSTREAM_URL: upstream.oddUrl, ROOT_PLUGIN: '1' })
  await own.run([], RECORD)
  own.remove('packages/b/greet.test.ts')
  for (const shard of ['1/2', '2/2']) await own.run([`--shard=${shard}`, '--reporter=blob'], CI)
  const merged = await own.run(['--merge-reports'], CI)
  expect(merged.exitCode).toBe(1)
  expect(merged.output).toContain('2 replayed')
  expect(orphansIn(merged)).toEqual(['1 cassette'])
})

test('a package that runs on its own has what its own config says', async () => {
  const before = await upstream.count()
  const covered = await project.runIn('packages/a', [], { IN: 'a', ...CI })
  expect(missed(covered)).toBe(1)
  expect(await upstream.count()).toBe(before)
})

test('packages that find the plugin as pnpm links it are covered once, also by copies of their own', async () => {
  const linked = new VitestProject('monorepo', { UPSTREAM_URL: upstream.oddUrl })
  for (const name of ['a', 'b']) {
    const store = `node_modules/.pnpm/vitest-cassette@0.1.0_${name}/node_modules`
    mkdirSync(join(linked.dir, store), { recursive: true })
    mkdirSync(join(linked.dir, `packages/${name}/node_modules`))
    cpSync(
      join(workspace(), 'node_modules/vitest-cassette'),
      join(linked.dir, store, 'vitest-cassette'),
      { recursive: true },
    )
    symlinkSync(
      `../../../${store}/vitest-cassette`,
      join(linked.dir, `packages/${name}/node_modules/vitest-cassette`),
    )
  }
  const env = { ROOT_PLUGIN: '1', IN: 'ab' }
  const recorded = await linked.run([], { ...env, ...RECORD })
  expect(recorded.output).toContain('3 recorded')
  const replayed = await linked.run([], { ...env, ...CI })
  expect(replayed.exitCode).toBe(0)
  expect(replayed.output).toContain('3 replayed')
  expect(replayed.output.match(/Cassettes/g)).toHaveLength(1)
})

/** How many cassettes each summary calls orphans. */
function orphansIn({ output }: Run): string[] {
  return output.match(/(?<=^ +Orphans {2})\d+ \w+/gm) ?? []
}

function missed({ output }: Run): number {
  return Number(/(\d+) missed/.exec(output)?.[1] ?? 0)
}
