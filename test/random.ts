import { hash } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFailed } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Decides what chance decides. Vitest shuffles by it, too. */
export const seed: number = inject('seed')

/** The command that tries the same again. What is tried for each change is the beginning of what the night tries. */
export function repeatCommand(): string {
  const { testPath = '' } = expect.getState()
  const file = relative(root, testPath).replaceAll('\\', '/')
  return `npx vitest run --mode night --sequence.seed=${seed} ${file}`
}

/**
 * Gives a test numbers from 0 to 1, which the seed decides. If the test fails, the command is printed that repeats it.
 *
 * @param name tells the numbers apart that a test takes at the same time
 */
export function randomNumbers(name: string = ''): () => number {
  const { currentTestName } = expect.getState()
  onTestFailed(() => console.log(`This failed by chance. The same again:\n  ${repeatCommand()}`))
  let count = 0
  return () => {
    const digits = hash('sha256', `${seed} ${currentTestName} ${name} ${count++}`).slice(0, 12)
    return parseInt(digits, 16) / 2 ** 48
  }
}
