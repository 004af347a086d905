import { loadExplain } from './load-explain.ts'
import { printable } from '../diff/render/printable.ts'
import type { Cassette } from '../cassette/format/cassette.ts'
import { CACHE_FOLDER } from '../config/folders.ts'
import type { AttemptOutcome } from '../explain/judge-attempt.ts'
import { promptForParams, readProposal } from '../engine/turns/propose-params.ts'
import { journalOf, storeOf } from './stores-of-attempt.ts'
import type { OpenSession } from './owner.ts'

/** Outside of git: reviewers see the proposal in the cassette of the test. */
const PROPOSALS = `${CACHE_FOLDER}/proposals`

/** Runs a function of the user whose requests belong to a session. */
export type AskInside = <Result>(open: OpenSession, run: () => Result) => Result

/**
 * Asks a model to propose parameters for a recording. Its answer is recorded in a cassette of its own, so that the
 * model is asked once for each conversation. An error here fails no test.
 */
export async function askForParams(
  open: OpenSession,
  save: Cassette,
  outcome: AttemptOutcome,
  askInside: AskInside,
): Promise<Cassette> {
  const { session, owner } = open
  const { params } = session.config
  if (params.strategy !== 'llm' || Object.keys(session.params.values).length > 0) return save
  const own = open.another({
    ...session.config,
    mode: 'new',
    dir: PROPOSALS,
    volatile: [],
    params: { strategy: 'preset' },
  })
  try {
    const answer = await askInside(own, () => params.propose(promptForParams(save)))
    await own.session.waitForAnswers()
    own.session.late.end(-1)
    const { judgeWhole } = loadExplain()
    const verdict = await judgeWhole(own.session, { ...outcome, passed: true, partial: false })
    if (verdict.failure) throw new Error(verdict.failure.headline)
    if (verdict.save)
      await storeOf(own).save(owner.path(own.session.config.dir), verdict.save, verdict.merge)
    journalOf(own).delete()
    const proposedParams = readProposal(answer, save)
    return proposedParams ? { ...save, proposedParams } : save
  } catch (error) {
    own.session.late.end(-1)
    console.warn(
      `[vitest-cassette] ${session.test.cassette}: no parameters were proposed: ${printable((error as Error).message)}`,
    )
    return save
  }
}
