import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('monorepo', { UPSTREAM_URL: upstream.oddUrl })
})
afterAll(() => upstream.stop())

test.each(Object.entries(SHAPES))(
  'with the plugin %s no project of a run is live',
  async (_, shape) => {
    const before = await upstream.count()
    for (const env of [{}, CI]) {
      const run = await project.run([], { ...shape, ...env })
      expect(run.exitCode).toBe(1)
      expect(run.output).toContain('Tests  3 failed (3)')
      expect(missed(run)).toBe(3)
    }
    expect(await upstream.count()).toBe(before)
  },
)

test.each(Object.entries(SHAPES))(
  'with the plugin %s each package records its own and replays it',
  async (_, shape) => {
    const own = new VitestProject('monorepo', { UPSTREAM_URL: upstream.oddUrl })
    const before = await upstream.count()
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
    expect(run.output).toContain('2 projects of this run would ask the providers themselves')
    expect(run.output).toMatch(/\n +b +packages\/b\n +c +packages\/c\n/)
    expect(run.output).toContain(
      'Add the plugin to vitest.config.ts, which then covers every project',
    )
    expect(run.output).toContain('plugins: [cassettes()]')
    expect(run.output).not.toContain(' at ')
    expect(await upstream.count()).toBe(before)
    // What is not chosen is no part of the run.
    const chosen = await project.run(['--project', 'a'], { IN: 'a', ...env })
    expect(missed(chosen)).toBe(1)
  },
)

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

function missed({ output }: Run): number {
  return Number(/(\d+) missed/.exec(output)?.[1] ?? 0)
}
