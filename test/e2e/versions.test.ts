import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSections, printTable } from '../docs-section.ts'
import { isNight } from '../effort.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { needs, testIf } from '../needs.ts'
import { pools } from './pools.ts'
import { ends, installed, neededBy, ofOwn, RELEASES } from './releases.ts'
import { VitestProject } from './vitest-project.ts'

const DEAD = 'http://127.0.0.1:2'

/** The releases of Node on which some of the runners are tried. They have packages for Linux on x64 alone. */
const nodes = [
  { node: '22.12', path: join(installed, 'node-22.12/bin/node'), vitests: ['5', '3.2'] },
  { node: '22', path: join(installed, 'node-22/bin/node'), vitests: ['5'] },
  { node: '24', path: join(installed, 'node-24/bin/node'), vitests: ['5'] },
  { node: '26', path: join(installed, 'node-26/bin/node'), vitests: ['5', '3.2'] },
]
const NODES = needs('versions', 'linux-x64')

/** The row of a release of Node in the tables. */
function rowOf(path: string): string {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return `Node ${/\d+\.\d+/.exec(stdout)![0]}`
}

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
  'is-repeated': ['again', 'again'],
  'is-tried-again': ['attempt 2'],
  'needs-a-fixture': ['fixture', 'end of the fixture', 'onTestFinished'],
  'hold-for-its-tests': ['with options'],
  'skips-itself': ['skipped'],
  'swallows-its-error': ['swallowed'],
}

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

/**
 * Records from the provider, replays with the provider dead, and has a prompt changed whose error is swallowed. A change
 * of some prompts replays the others: a replay of its own, of all of them, is for the night.
 */
async function tryOut(project: VitestProject, isWhole: boolean = isNight): Promise<void> {
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  expect(questionsIn(project)).toEqual(QUESTIONS)
  const count = await upstream.count()

  project.remove('other.test.ts')
  if (isWhole) {
    const replay = await project.run([], { UPSTREAM_URL: DEAD })
    expect(replay.exitCode, replay.output).toBe(0)
    expect(replay.output).toMatch(/Exchanges {2}22 replayed\n/)
    expect(replay.output).toMatch(/Orphans {2}1 .*\n +other\.test\.ts > is gone later/)
  }

  const drift = await project.run([], { DRIFT: ' now', UPSTREAM_URL: DEAD })
  expect(drift.exitCode, drift.output).toBe(1)
  expect(drift.output).toMatch(/Exchanges {2}19 replayed[ ,]/)
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
  for (const release of RELEASES.keys())
    describe(`Vitest ${release}`, needs(...neededBy(release)), () => {
      test.each(pools)('records, replays and fails for a drift in the pool %s', async (POOL) => {
        await tryOut(projectOf(release, { POOL }), isNight || POOL === 'forks')
        ;(shown[`Vitest ${release}`] ??= {})[POOL] = 'yes'
      })

      // Without isolation, each file still has its own cassettes.
      test.each(
        Object.entries<Record<string, string>>({
          'the set-up file alone, without isolation': { SETUP: 'file', ISOLATE: 'false' },
          ...(isNight && {
            'the set-up file alone': { SETUP: 'file' },
            'the plugin, without isolation': { ISOLATE: 'false' },
          }),
        }),
      )('records, replays and fails for a drift with %s', async (_, env) => {
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
        expect(merged.output).toContain('22 replayed')
        expect(merged.output).toMatch(/Orphans {2}1 .*\n +other\.test\.ts > is gone later/)
      })

      test.each(
        Object.entries<Record<string, string>>({
          'the option projects': { PROJECTS: 'projects' },
          ...(release === '3.2' && { 'a workspace file': { FILE: 'yes' } }),
          ...(release === '3.2' &&
            isNight && { 'the option workspace': { PROJECTS: 'workspace' } }),
        }),
      )('covers projects with configs of their own, by %s', async (_, env) => {
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

  describe.each(ends(nodes))('Node $node', NODES, ({ path, vitests }) => {
    test.each(vitests)('runs Vitest %s', async (release) => {
      await tryOut(projectOf(release, {}, 'versions', path))
      ;(shown[rowOf(path)] ??= {})[`Vitest ${release}`] = 'yes'
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
      ;(shown[rowOf(path)] ??= {})[runner] = 'yes'
    })
  })

  const old = ['3.2', '4.0'].filter((release) => RELEASES.has(release))
  describe.each(old)('what Vitest %s cannot do', needs('versions'), (release) => {
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
      const { tests } = project.json('node_modules/.cache/vitest-cassette/failures.json')
      expect(tests).toMatchObject([{ code: 'unsupported-vitest' }])
      expect(output).toMatch(/FAIL .*is gone later\n/)
      expect(await upstream.count()).toBe(count)
    })

    // That of 3.2 is experimental. No release gets as far as to start this provider.
    testIf(release === '3.2')('is refused by name: a project in a browser', async () => {
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
  })

  testIf(isNight)('docs/versions.md has the tables of this run', NODES, async () => {
    const table = (names: string[], columns: string[], otherwise: string): string =>
      printTable([
        ['', ...columns],
        ...names.map((name) => [name, ...columns.map((one) => shown[name]?.[one] ?? otherwise)]),
      ])
    await expectSections('versions.md', {
      matrix: table(
        [...RELEASES.keys()].map((release) => `Vitest ${release}`),
        [...pools, 'set-up file alone'],
        'no',
      ),
      nodes: table(
        nodes.map(({ path }) => rowOf(path)),
        ['Vitest 5', 'Vitest 3.2', ...Object.keys(RUNNERS)],
        '',
      ),
    })
  })
})
