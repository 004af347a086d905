import type { Cassette } from '../../cassette/cassette.ts'
import type { Session } from '../../engine/session.ts'
import { findOdd, type OddAnswers } from '../../recording/odd-answers.ts'

const NONE: OddAnswers = { replacing: [], beside: [] }

/** The odd answers of a recording. The option `recordErrors` says that errors are meant, and that anything may replace. */
export function oddAnswersOf(
  { cassette: before, config, asked }: Session,
  fresh: Cassette | undefined,
): OddAnswers {
  if (!fresh || !asked.some(({ recording }) => recording)) return NONE
  const odd = findOdd(fresh, before)
  if (!config.recordErrors) return odd
  const all = [...odd.replacing, ...odd.beside]
  return { replacing: [], beside: all.filter(({ kind }) => kind !== 'error') }
}
