import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestModule, Vitest } from 'vitest/node'
import { readEnvironment } from '../../../src/config/environment.ts'
import type { CassetteOptions } from '../../../src/config/options.ts'
import { resolveConfig, type ResolvedConfig } from '../../../src/config/resolved-config.ts'
import { ReportReporter } from '../../../src/tools/report/report-reporter.ts'

let root: string

beforeEach(() => {
  vi.stubEnv('CI', '')
  vi.stubEnv('GITHUB_ACTIONS', '')
  root = mkdtempSync(join(tmpdir(), 'vitest-cassette-reporter-'))
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

/** What a run with these options says at its end, and the error of its one test that failed. */
async function endRun(
  options: CassetteOptions,
  { watch = false, ...more }: Partial<ResolvedConfig> & { watch?: boolean } = {},
): Promise<{ said: string; diff: string }> {
  let said = ''
  const logger = { error: (text: string) => void (said += text) }
  const config = { ...resolveConfig(options, readEnvironment({})), ...more }
  const reporter = new ReportReporter()
  reporter.onInit({ config: { root, watch }, logger } as unknown as Vitest)
  reporter.add(root, config)
  const error = { name: 'CassetteError', message: 'The prompt changed', diff: 'details' }
  const module = {
    project: { getProvidedContext: () => ({ 'vitest-cassette': JSON.stringify({ config }) }) },
    relativeModuleId: 'a.test.ts',
    meta: () => ({ cassette: { cassette: '__recordings__/a.json' } }),
    errors: () => [error],
    children: { allTests: () => [] },
  }
  const ended = reporter.onTestRunEnd([module as unknown as TestModule])
  // Reporters that print come next, and wait for nobody.
  const { diff } = error
  await ended
  return { said, diff: stripVTControlCharacters(diff) }
}

test('a failure names its place before other reporters print it', async () => {
  const { said, diff } = await endRun({ report: true })
  expect(diff).toMatch(
    /^details\n\n {2}report +file:\/\/\S+\/cassette-report\/index\.html#\/__recordings__\/a\.json$/,
  )
  expect(said).toContain('cassette-report/index.html')
  expect(readdirSync(root)).toEqual(['cassette-report'])
})

test.each<[string, CassetteOptions, Parameters<typeof endRun>[1]]>([
  ['no option asks for it', {}, {}],
  ['the option says no', { report: false }, {}],
  ['a run watches', { report: true }, { watch: true }],
  ['doctor runs the tests', { report: true }, { run: { by: 'doctor', folder: '/tmp/run' } }],
])('no report is written, nor named, where %s', async (_, options, more) => {
  expect(await endRun(options, more)).toEqual({ said: '', diff: 'details' })
  expect(readdirSync(root)).toEqual([])
})
