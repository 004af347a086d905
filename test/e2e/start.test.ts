import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const DEAD = 'http://127.0.0.1:2'

let upstream: Upstream
let recorded: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  recorded = new VitestProject('options', { UPSTREAM_URL: upstream.oddUrl })
  const recording = await recorded.record(['-t', 'asks a provider'])
  expect(recording.exitCode, recording.output).toBe(0)
})

afterAll(() => upstream.stop())

// Each starts without this package too.
test.for([
  ['', '--no-deprecation'],
  ['', '--pending-deprecation --throw-deprecation --disable-proto=throw'],
  ['', '--no-experimental-require-module --no-experimental-strip-types'],
  ['test: { server: { deps: { external: [/node_modules/] } } }', ''],
  ['test: { server: { deps: { inline: true } } }', ''],
  ['ssr: { noExternal: true }', ''],
  ['test: { experimental: { viteModuleRunner: false } }', ''],
])('a replay starts with the config { %s } and the flags of Node "%s"', async ([config, flags]) => {
  const project = new VitestProject(recorded.dir)
  if (config !== '')
    project.edit('vitest.config.ts', 'defineConfig({', `defineConfig({ ${config}, `)
  const env = { UPSTREAM_URL: DEAD, NODE_OPTIONS: flags }
  const { exitCode, output } = await project.run(['-t', 'asks a provider'], env)
  expect(exitCode, output).toBe(0)
  expect(output).toContain('1 replayed')
  expect(output).not.toContain('DEP0111')
})

test('the set-up file loads in jsdom where Vite may serve no folder of the package', async () => {
  const project = new VitestProject(recorded.dir)
  // As where the package is installed above the root of its project.
  const config = "server: { fs: { allow: ['.'] } }, test: { environment: 'jsdom' }"
  project.edit('vitest.config.ts', 'defineConfig({', `defineConfig({ ${config}, `)
  project.write('quiet.test.ts', "import { test } from 'vitest'\ntest('asks nothing', () => {})\n")
  const { exitCode, output } = await project.run(['quiet'])
  expect(exitCode, output).toBe(0)
})
