import { stripVTControlCharacters } from 'node:util'
import type { TestError } from 'vitest'
import type { TestModule } from 'vitest/node'
import { endedTestsOf, isOurs } from '../../run-watchers.ts'

/** Writes the text of our failures into their stacks too, since the JSON reporter writes nothing else of an error. */
export function tellInStacks(modules: readonly TestModule[]): void {
  for (const { errors } of modules.flatMap(endedTestsOf))
    for (const error of errors) if (isOurs(error)) tellInStack(error as TestError)
}

const FRAME = /^\s*at /

/** Puts the text of an error between its message and its frames. Safe to apply twice. */
export function tellInStack(error: TestError): void {
  const { name, message, diff, stack = '' } = error
  if (diff === undefined) return
  const lines = stack.split('\n')
  const frames = lines.slice(lines.findLastIndex((line) => !FRAME.test(line)) + 1)
  const text = stripVTControlCharacters(diff).split('\n').map(breakFrame)
  error.stack = [`${name}: ${message}`, '', ...text, ...frames].join('\n')
}

/** A line that no reporter takes for a place in code, in the form of V8 or of Firefox; nothing of it is hidden. */
function breakFrame(line: string): string {
  return line.replace(/^(\s*at)(?= )|(@.*:\d+:)(?=\d+$)/, '$1$2\u200b')
}
