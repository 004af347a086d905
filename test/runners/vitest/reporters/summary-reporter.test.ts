import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { TestModule, Vitest } from 'vitest/node'
import { SummaryReporter } from '../../../../src/runners/vitest/reporters/summary-reporter.ts'

/** What a run says at its end whose files opened these tunnels. */
async function endRun(...files: Array<Array<[host: string, program: string]>>): Promise<string> {
  let said = ''
  const logger = { error: (text: string) => void (said += text) }
  const reporter = new SummaryReporter()
  reporter.onInit({ projects: [], logger } as unknown as Vitest)
  const modules = files.map((tunnels) => ({
    project: { name: '', getProvidedContext: () => ({}) },
    relativeModuleId: 'a.test.ts',
    meta: () => ({
      seenServers: { found: [], others: [], tunnels, foreign: [], out: [], local: [] },
    }),
    errors: () => [],
    children: { allTests: () => [] },
  }))
  await reporter.onTestRunEnd(modules as unknown as TestModule[])
  return stripVTControlCharacters(said)
}

test('the hosts of tunnels that programs opened are named once for a run', async () => {
  const said = await endRun([['corp.example:443', 'python3']], [], [['corp.example:443', 'curl']])
  expect(said).toMatch(/^ {4}Tunnels {2}\w/)
  expect(said.match(/corp\.example \(python3\)/g)).toHaveLength(1)
  expect(said).not.toContain('curl')
})

test('a run without such tunnels says nothing of them', async () => {
  expect(await endRun([], [])).toBe('')
})
