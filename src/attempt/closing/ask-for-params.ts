import type { Cassette } from '../../cassette/cassette.ts'
import type { Journal } from '../../cassette/journal.ts'
import type { CassetteStore } from '../../cassette/store.ts'
import { CACHE_FOLDER } from '../../config/paths.ts'
import type { AttemptOutcome } from '../../explain/judge-attempt.ts'
import { judgeWhole } from '../../explain/judge-secrets.ts'
import { promptForParams, readProposal } from '../../recording/propose-params.ts'
import { printable } from '../../text/printable.ts'
import type { OpenSession } from '../owner.ts'
import { say } from '../say.ts'

/** Outside of git: reviewers see the proposal in the cassette of the test. */
const PROPOSALS = `${CACHE_FOLDER}/proposals`

/** Runs a function of the user whose requests belong to a session. */
export type AskInside = <Result>(open: OpenSession, run: () => Result) => Result

/** What closes an attempt, for the one that asks. */
interface Closing {
  askInside: AskInside
  storeOf(open: OpenSession): CassetteStore
  journalOf(open: OpenSession): Journal
}

/**
 * Asks a model to propose parameters for a recording. Its answer is recorded in a cassette of its own, so that the
 * model is asked once for each conversation. An error here fails no test.
 */
export async function askForParams(
  open: OpenSession,
  save: Cassette,
  outcome: AttemptOutcome,
  { askInside, storeOf, journalOf }: Closing,
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
    own.session.end(-1)
    const verdict = await judgeWhole(own.session, { ...outcome, passed: true, partial: false })
    if (verdict.failure) throw new Error(verdict.failure.headline)
    if (verdict.save)
      await storeOf(own).save(owner.path(own.session.config.dir), verdict.save, verdict.merge)
    journalOf(own).delete()
    const proposedParams = readProposal(answer, save)
    return proposedParams ? { ...save, proposedParams } : save
  } catch (error) {
    own.session.end(-1)
    say(
      `[vitest-cassette] ${session.test.cassette}: no parameters were proposed: ${printable((error as Error).message)}`,
    )
    return save
  }
}
