import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import type { Description, RunName } from '../runs.ts'
import { LabReporter } from './lab-reporter.ts'

const {
  LAB_RUN = '',
  LAB_SCENARIOS = '',
  ODD_URL = '',
  FRONT_URL = '',
  ECHO_URL = '',
} = process.env

export default defineConfig({
  test: {
    reporters: ['default', new LabReporter()],
    // Most of the time they wait.
    maxWorkers: 4,
    projects: LAB_SCENARIOS.split(',').map(projectOf),
  },
})

function projectOf(name: string): TestProjectInlineConfiguration {
  const root = join(import.meta.dirname, name)
  const { options, test, env } = JSON.parse(
    readFileSync(join(root, 'scenario.json'), 'utf8')
      .replaceAll('{odd}', new URL(ODD_URL).host)
      .replaceAll('{front}', new URL(FRONT_URL).host)
      .replaceAll('{echo}', new URL(ECHO_URL).host),
  ) as Description
  return {
    root,
    plugins: [cassettes(withExpressions(options ?? {}))],
    test: {
      name,
      root,
      ...test,
      env: { RESULTS: join(root, 'results'), ...env?.always, ...env?.[LAB_RUN as RunName] },
    },
  }
}

/** JSON has no regular expressions: a text like `/req-\d+/g` stands for one. */
function withExpressions(value: object): object {
  return JSON.parse(JSON.stringify(value), (_, text: unknown) => {
    const [, source, flags] = /^\/(.+)\/([a-z]*)$/.exec(typeof text === 'string' ? text : '') ?? []
    return source === undefined ? text : new RegExp(source, flags)
  }) as object
}
