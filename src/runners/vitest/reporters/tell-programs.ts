import { spellUnseen } from '../../../cassette/format.ts'
import { inMode, quoteWord, recording } from '../../../config/mode.ts'
import { hasNoCassette, isError, isInvalid } from '../../../explain/kind-of-cause.ts'
import type { Cause } from '../../../explain/cause.ts'
import { withoutSecrets } from '../../../secrets/without-secrets.ts'
import { endedTestsOf, type EndedTest } from '../../run-watchers.ts'
import type { EndedRun } from './ended-run.ts'
import { configChosen, fromHere } from './run-options.ts'

/** The mark at the beginning of the line that is for programs. */
const MARK = '[vitest-cassette] '

/** One line for programs that read the output of a run, such as coding agents: what missed, and which command settles it. */
export function tellPrograms({ vitest, modules }: EndedRun): string | undefined {
  const missing = modules.filter((module) => endedTestsOf(module).some(misses))
  if (missing.length === 0) return undefined
  const files = missing.map(({ moduleId }) => quoteWord(fromHere(moduleId)))
  const words = [...files, ...configChosen(vitest).map((word) => quoteWord(word))]
  return lineForPrograms(missing.flatMap(endedTestsOf).filter(misses), words)
}

function misses({ meta }: EndedTest): boolean {
  return (meta.cassette?.misses ?? 0) > 0
}

/** @param words the test files, and options by which Vitest finds its config */
export function lineForPrograms(
  tests: ReadonlyArray<Pick<EndedTest, 'title' | 'meta'>>,
  words: readonly string[],
): string {
  const told = tests.map(({ title, meta }) => {
    const { misses, unused, cassette, cause } = meta.cassette!
    const about = cause ? { headline: cause.headline, keeps: cause.keeps } : {}
    return { test: title, cassette, misses, unused, kind: kindOf(cause), ...about }
  })
  const keeps = told.every((one) => 'keeps' in one && one.keeps)
  const isNew = told.some(({ kind }) => kind === 'unrecorded')
  const commands = {
    ...(keeps
      ? { keep: inMode(recording(['npx vitest run', ...words].join(' ')), 'prompts') }
      : {}),
    record: ['npx vitest-cassette record', isNew ? '--missing' : '--changed', ...words].join(' '),
    show: 'npx vitest-cassette diff --json',
  }
  const json = JSON.stringify({ event: 'misses', tests: told, commands })
  // Two hashes begin commands of CI runners, at any place of a line.
  return MARK + spellUnseen(withoutSecrets(json)).replaceAll('##', '#\\u0023')
}

function kindOf(cause: Cause | undefined): string {
  if (!cause) return 'other'
  if (hasNoCassette(cause)) return 'unrecorded'
  if (isInvalid(cause)) return 'invalid'
  return isError(cause) ? 'error' : 'changed'
}
