import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CHROMIUM } from '../../examples/screen-agent/test/chromium.ts'
import { workspace } from './install-package.ts'
import { VitestProject } from './vitest-project.ts'

if (!CHROMIUM)
  console.log('What the screen agent notices is not tested: there is no Chromium here.')

// A sample: all of them take minutes, and are noticed too.
test.each([
  ['answer-agent', 'test/answer-agent.test.ts -t "two chats|a chat that" --max 2', true],
  ['screen-agent', '-t "step by step" --max 3', CHROMIUM !== undefined],
])('the tests of %s notice a wrong answer', { timeout: 90_000 }, async (name, words, isThere) => {
  if (!isThere) return
  const project = new VitestProject(
    fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)),
  )
  const cli = join(workspace(), 'node_modules/vitest-cassette/dist/cli.mjs')
  const { exitCode, output } = await project.shell(
    `${process.execPath} ${cli} mutate ${words} --min 100`,
  )
  expect(exitCode, output).toBe(0)
  expect(output).toMatch(/\d+ changed answers: \d+ noticed \(100 %\)/)
})
