import { basename, dirname, join } from 'node:path'
import { expect } from 'vitest'
import { CassetteError, type ErrorCode } from '../src/errors.ts'

/**
 * Compares a text that people read with its golden file, `golden/<test file>/<name>.txt` beside the test. `vitest -u`
 * writes it, and the diff shows a reviewer which words changed.
 *
 * @param steady what is another text in each run, such as the path of a temporary folder, and what stands in its place
 */
export async function expectGolden(
  text: string,
  name: string,
  steady: Readonly<Record<string, string>> = {},
): Promise<void> {
  const file = expect.getState().testPath!
  const written = Object.entries(steady).reduce((all, [from, to]) => all.replaceAll(from, to), text)
  await expect(written).toMatchFileSnapshot(
    join(dirname(file), 'golden', basename(file, '.test.ts'), `${name}.txt`),
  )
}

/** What a function fails with: its code, an empty line, its message. */
export async function failureOf(run: () => unknown): Promise<string> {
  try {
    await run()
  } catch (error) {
    if (error instanceof CassetteError) return `${error.code}\n\n${error.message}`
    throw error
  }
  throw new Error('Nothing failed.')
}

/** What each of some functions fails with, below its title and above an empty line. */
export async function failuresOf(
  rows: ReadonlyArray<readonly [title: string, run: () => unknown]>,
): Promise<string> {
  const texts: string[] = []
  for (const [title, run] of rows) texts.push(`# ${title}\n${await failureOf(run)}\n`)
  return texts.join('\n')
}

/** Matches an error of this package by its code, whatever it says: `expect(run).toThrow(coded('miss'))`. */
export function coded(code: ErrorCode): CassetteError {
  return expect.objectContaining({ isCassetteError: true, code })
}
