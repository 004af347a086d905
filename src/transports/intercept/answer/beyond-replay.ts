import { web } from '../../../real/web.ts'
import { loadExplain } from '../../../attempt/load-explain.ts'
import { readPlan } from '../../../attempt/run-channel.ts'
import { sendsNothing } from '../../../config/mode.ts'
import type { Incoming } from '../../../engine/incoming.ts'
import type { Answer, Miss, Origin } from '../../../engine/session-contract.ts'
import type { Session } from '../../../engine/session.ts'
import { CassetteError, captureCallSite } from '../../../errors.ts'
import { loadRare } from '../../../features/later-cases.ts'
import { textOf } from '../../../wire/body.ts'
import { refuse } from '../../refuse.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { wireRequest } from '../../../secrets/wire-request.ts'
import type { WireResponse } from '../../../wire/message.ts'
import { nextTurn } from '../../../real/clock.ts'

/**
 * Lets the speakers of a test answer a request; `undefined` leaves it to the cassette and the provider.
 *
 * @throws CassetteError `speaker` as `askSpeakers` does, and where a speaker leaves the answer to the provider
 * in a run that sends nothing
 */
export async function answerBySpeakers(
  session: Session,
  incoming: Incoming,
  origin: Origin,
): Promise<Answer | undefined> {
  const spoken = await loadRare().askSpeakers(session, incoming)
  if ('found' in spoken) return session.answer(incoming, origin, undefined, spoken.found)
  if (spoken.by !== 'live') return undefined
  if (!sendsNothing(session.config.mode)) return session.answer(incoming, origin, undefined, 'live')
  throw new CassetteError(
    'speaker',
    'A speaker leaves a step to "live", and this run sends nothing.\nRecord this test:\n' +
      `  ${session.test.recordCommand}`,
  )
}

/** Lets a session answer a request by exchanges whose pictures look alike. */
export async function answerByPictures(
  session: Session,
  incoming: Incoming,
  origin: Origin,
): Promise<Answer> {
  const answer = (): Answer => session.answer(incoming, origin)
  const look = (): unknown => session.find(incoming)
  look()
  const { pictures } = session
  if (!pictures) return answer()
  const answered = await pictures.inTurn(look, answer)
  if (answered.action === 'replay') return answered
  // The failure, or the note that the conversation left its recording, names the pictures that differ.
  const closest = loadExplain().findClosest(session, session.recorded, incoming)
  if (closest)
    await pictures.inTurn(
      () => pictures.compare(closest.recorded, incoming),
      () => {},
    )
  return answered
}

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
  const { explainBriefly, failureOfMiss, renderFailure } = loadExplain()
  await lookFurther(miss)
  if (!whole) return refuse(url, explainBriefly(session, miss), web)
  const { headline, details } = renderFailure(failureOfMiss(session, miss, false), false)
  return refuse(url, `${headline}\n\n${details}`, web)
}

/** The request with the model that a rehearsal puts in the place of its own; unchanged where it names none. */
export function askOtherModel(request: WholeRequest, run: string): WholeRequest {
  const { models } = readPlan(run)
  if (!models) return request
  const { otherModelOf, withModel } = loadRare()
  const wire = wireRequest(request)
  const model = otherModelOf(wire, new Map(Object.entries(models)))
  if (model === undefined) return request
  const { pathname } = new URL(withModel(wire, model).url)
  const url = new URL(request.url)
  url.pathname = pathname
  // The new body has no content coding, and a length of its own.
  const headers = new web.Headers(
    [...request.headers].filter(([name]) => name !== 'content-encoding'),
  )
  return { ...request, url: url.href, headers, body: textOf(withModel(wire, model).body) }
}

/** Says which tunnels could not be read. */
export function tellTunnels(
  tunnels: Parameters<ReturnType<typeof loadExplain>['explainTunnels']>[0],
): string {
  return loadExplain().explainTunnels(tunnels)
}

/** Statuses that SDKs ask again after, besides those of servers that failed. */
const RETRIED: readonly number[] = [408, 409, 429]

/**
 * A recorded error that tells SDKs to try again at once. The recorded wait, or that of an SDK which is told none, can take
 * longer than a test may in replay.
 */
export function retriedAtOnce(response: WireResponse): WireResponse {
  const { status, headers } = response
  if (status < 500 && !RETRIED.includes(status)) return response
  const after = headers['retry-after'] === undefined ? headers : { ...headers, 'retry-after': '0' }
  return { ...response, headers: { ...after, 'retry-after-ms': '1' } }
}

/**
 * Adds a second stack to the place of a request that nothing answers, taken a turn later: V8 sees no further than a
 * function that returns a promise without `await`, until that promise is taken over.
 */
async function lookFurther({ callSite, reason }: Miss): Promise<void> {
  if (!callSite || reason === 'closed') return
  await nextTurn()
  callSite.cause ??= captureCallSite(callSite.message)
}
