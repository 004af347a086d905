import { harmless } from '../../diff/render/harmless.ts'
import type { Cassette } from '../../cassette/format/cassette.ts'
import { CACHE_FOLDER } from '../../config/cache-folder.ts'
import { judgeWhole } from '../../explain/judge-secrets.ts'
import { promptForParams, readProposal } from '../../engine/propose-params.ts'
import { runInScope, TestScope } from '../../intercept/context/scope.ts'
import { openSession, type OpenSession } from './open-sessions.ts'

/** Outside of git: what is reviewed is the proposal, in the cassette of the test. */
const PROPOSALS = `${CACHE_FOLDER}/proposals`

/**
 * Lets a model propose parameters for what was recorded. Its answer is recorded in a cassette of its own,
 * so that it is asked once for one conversation. Nothing fails because of it.
 */
export async function proposeParams(
  { session, place, root, late }: OpenSession,
  save: Cassette,
  color: boolean,
): Promise<Cassette> {
  const { params } = session.config
  if (params.strategy !== 'llm' || Object.keys(session.params.values).length > 0) return save
  const config = { ...session.config, mode: 'new' as const, dir: PROPOSALS, volatile: [] }
  const own = openSession(place, root, { ...config, params: { strategy: 'preset' } }, late)
  const scope = new TestScope(config, { session: () => own.session })
  try {
    const answer = await runInScope(scope, () => params.propose(promptForParams(save)))
    await own.session.settle()
    own.session.close()
    const verdict = await judgeWhole(own.session, { passed: true, now: new Date(), color })
    if (verdict.failure) throw new Error(verdict.failure.headline)
    if (verdict.save) await own.store.save(own.path, verdict.save, verdict.settle)
    own.journal.delete()
    const proposedParams = readProposal(answer, save)
    return proposedParams ? { ...save, proposedParams } : save
  } catch (error) {
    own.session.close()
    console.warn(
      `[vitest-cassette] ${session.test.cassette}: no parameters were proposed: ${harmless((error as Error).message)}`,
    )
    return save
  }
}
