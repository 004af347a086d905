import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { VitestProject } from './vitest-project.ts'

// A sample: all of them take minutes, and are noticed too.
for (const [name, words, programs] of [
  ['answer-agent', 'test/answer-agent.test.ts -t "two chats|a chat that" --max 2', needs()],
  ['screen-agent', '-t "step by step" --max 3', needs('chromium')],
] as const)
  test(`the tests of ${name} notice a wrong answer`, programs, async () => {
    const example = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))
    const project = new VitestProject(example)
    const { exitCode, output } = await project.cli(`mutate ${words} --min 100`)
    expect(exitCode, output).toBe(0)
    expect(output).toMatch(/\d+ changed answers: \d+ noticed \(100 %\)/)
  })
