import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CHROMIUM } from '../../examples/screen-agent/test/chromium.ts'
import { VitestProject } from './vitest-project.ts'

if (!CHROMIUM)
  console.log('What the screen agent notices is not tested: there is no Chromium here.')

// A sample: all of them take minutes, and are noticed too.
const EXAMPLES = {
  'answer-agent': 'test/answer-agent.test.ts -t "two chats|a chat that" --max 2',
  ...(CHROMIUM ? { 'screen-agent': '-t "step by step" --max 3' } : {}),
}

test.each(Object.entries(EXAMPLES))(
  'the tests of %s notice a wrong answer',
  async (name, words) => {
    const example = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))
    const project = new VitestProject(example)
    const { exitCode, output } = await project.cli(`mutate ${words} --min 100`)
    expect(exitCode, output).toBe(0)
    expect(output).toMatch(/\d+ changed answers: \d+ noticed \(100 %\)/)
  },
)
