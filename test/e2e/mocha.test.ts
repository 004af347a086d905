import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const MOCHA = fileURLToPath(new URL('../../node_modules/mocha/bin/mocha.js', import.meta.url))
const PAGE = fileURLToPath(new URL('../../docs/programs.md', import.meta.url))

let provider: Upstream
let project: VitestProject
let recorded: Run

beforeAll(async () => {
  provider = await startUpstream()
  project = new VitestProject('mocha', { UPSTREAM_URL: provider.url })
  const [, recipe] = /```js\n(\/\/ cassettes\.mjs[^]*?)```/.exec(readFileSync(PAGE, 'utf8'))!
  project.write('cassettes.mjs', recipe!)
  recorded = await run({ RECORD: '1' })
  await provider.stop()
})

afterAll(() => provider.stop())

function run(environment: Record<string, string> = {}, args = ''): Promise<Run> {
  const command = `node ${MOCHA} --require ./cassettes.mjs ${args} '*.spec.mjs' 2>&1`
  return project.shell(command, environment)
}

test('with the recipe of the documentation, mocha records a cassette for each test that asks', () => {
  expect(recorded.exitCode, recorded.output).toBe(0)
  expect(recorded.output).toMatch(/^ +7 passing .*\n +2 pending/m)
  expect(project.files('__recordings__')).toEqual([
    'an-application-asks-what-may-change.json',
    'an-application-asks.json',
    'an-application-comes-last.json',
    'an-application-has-a-fallback.json',
    'an-application-is-tried-again.json',
    'an-application-skips-where-there-is-no-answer.json',
  ])
})

test.for(['', '--parallel'])('it replays them when the provider is gone %s', async (args) => {
  const { exitCode, output } = await run({}, args)
  expect(exitCode, output).toBe(0)
  expect(output).toMatch(/^ +7 passing .*\n +2 pending/m)
})

test('a changed prompt fails its tests alone, whatever they do with the error', async () => {
  const { exitCode, output } = await run({ WORD: 'three' })
  expect(exitCode).toBe(3)
  expect(output).toMatch(/^ +4 passing .*\n +2 pending\n +3 failing/m)
  for (const title of ['asks what may change', 'has a fallback', 'skips where there is no answer'])
    expect(output).toMatch(new RegExp(`^ +${title}:\n.*CassetteError: The prompt changed`, 'm'))
  expect(output).toContain('✔ comes last')
  expect(output.match(/^ +RECORD=1 npx mocha$/gm)).toHaveLength(3)
})
