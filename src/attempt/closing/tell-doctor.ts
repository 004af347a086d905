import type { Session } from '../../engine/session.ts'
import type { AskedInRun } from '../../explain/between-runs.ts'
import { diagnose } from '../../explain/diagnose.ts'
import type { RenderedFailure } from '../../explain/failure.ts'
import { spellRule } from '../../features/suggest.ts'
import type { JsonValue } from '../../json/json-value.ts'
import { appendLine } from '../run-channel.ts'
import { shapeOfTest } from './shape-of-test.ts'

/** Tells `doctor`, which started this run, what a test asked and why it failed. The last attempt of a test counts. */
export function tellDoctor(
  folder: string,
  session: Session,
  failure: RenderedFailure | undefined,
): void {
  const { test, asked, misses, config } = session
  const answered = asked.map((one) => (one.recording ?? one).incoming)
  const all = [...answered, ...misses.map(({ incoming }) => incoming)]
  const said: AskedInRun = {
    test: test.id,
    declared: config.volatile.map(spellRule),
    requests: all.map(({ canonical }) => canonical as unknown as JsonValue),
    hasMiss: misses.length > 0,
  }
  appendLine(folder, { kind: 'asked', asked: said })
  appendLine(folder, { kind: 'shape', shape: shapeOfTest(session, failure?.code) })
  if (failure) appendLine(folder, { kind: 'diagnosis', found: diagnose(session, failure) })
}
