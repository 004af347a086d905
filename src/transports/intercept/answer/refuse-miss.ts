import { loadExplain } from '../../../attempt/load-explain.ts'
import type { Miss } from '../../../engine/session-contract.ts'
import type { Session } from '../../../engine/session.ts'
import { refuse } from '../../refuse.ts'

/**
 * Refuses a request that its cassette does not answer, and says why.
 *
 * @param whole with the diff, where nothing else would show it
 */
export async function refuseMiss(
  url: string,
  session: Session,
  miss: Miss,
  whole: boolean,
): Promise<Response> {
  const { explainBriefly, explainMiss } = loadExplain()
  if (!whole) return refuse(url, explainBriefly(session, miss))
  const { headline, details } = explainMiss(session, miss, false)
  return refuse(url, `${headline}\n\n${details}`)
}
