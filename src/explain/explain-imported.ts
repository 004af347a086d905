import { renderChanges } from '../diff/render-changes.ts'
import type { Session } from '../engine/session.ts'
import { findUnasked } from '../features/unasked.ts'
import { isUnaskedExchange } from '../engine/recorded.ts'
import { findClosest } from './closest.ts'
import type { RenderedFailure } from './failure.ts'

/** Why a test with an imported recording fails. */
export interface ImportVerdict {
  /** `<test file> > <suite> > <test>`. */
  test: string
  /** Relative to the working directory. */
  cassette: string
  /**
   * - `differs`: a prompt is not the recorded one
   * - `more`: it asks for more than was recorded
   * - `unused`: it does not ask for all that was recorded
   * - `unasked`: the recording does not hold the prompts
   * - `other`: something else, such as a cassette that cannot be read
   */
  outcome: 'differs' | 'more' | 'unused' | 'unasked' | 'other'
  headline: string
  /** The changes of the prompt. */
  diff?: string
}

/** Says why a test fails whose recording was imported. */
export function explainImported(
  session: Session,
  { code, headline }: RenderedFailure,
): ImportVerdict {
  const { test, misses, recorded, unused } = session
  const told = { test: test.id, cassette: test.cassette, headline }
  const [miss] = misses
  if (code === 'unused') return { ...told, outcome: 'unused' }
  if (code !== 'miss' || !miss) return { ...told, outcome: 'other' }
  const isUnknown = recorded.length > 0 && recorded.every(isUnaskedExchange)
  if (isUnknown || findUnasked(session, miss.incoming)) return { ...told, outcome: 'unasked' }
  if (session.countAnswering(miss.incoming) > 0 || unused.length === 0)
    return { ...told, outcome: 'more' }
  const { changes = [] } = findClosest(session, recorded, miss.incoming) ?? {}
  return { ...told, outcome: 'differs', diff: renderChanges(changes, { color: false }) }
}
