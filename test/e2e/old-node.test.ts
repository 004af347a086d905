import { expect, test } from 'vitest'
import { VitestProject } from './vitest-project.ts'

/** Has every process believe that it is an older Node. */
const OLD = `export default Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(OLD)}`
const LINE = 'vitest-cassette needs Node 22.12 or later, and this is Node 20.20.2.'

test('on a Node that is too old, the plugin says so in one line before any test runs', async () => {
  const run = await new VitestProject('modes').run([], { NODE_OPTIONS })
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain(LINE)
  expect(run.output).not.toContain('    at ')
  expect(run.output).not.toContain('Tests')
})

test('so does the set-up file where there is no plugin', async () => {
  const project = new VitestProject('modes')
  project.write(
    'vitest.config.ts',
    "export default { test: { setupFiles: ['vitest-cassette/setup'] } }\n",
  )
  const run = await project.run([], { NODE_OPTIONS })
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain(`CassetteError: ${LINE}`)
})

test('and the command line, with nothing else', async () => {
  const project = new VitestProject('modes')
  const { exitCode, output } = await project.shell(
    'node ../node_modules/vitest-cassette/dist/cli.mjs list',
    { NODE_OPTIONS },
  )
  expect([exitCode, output]).toEqual([2, `${LINE}\n`])
})
