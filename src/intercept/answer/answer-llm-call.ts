import { CassetteError } from '../../errors.ts'
import type { JudgedCall } from './judged-call.ts'
import type { Later } from './later.ts'
import { isTwoWay } from '../call/llm-call.ts'
import { markSent } from '../context/open-requests.ts'
import { refuse } from '../call/refusal.ts'
import { replayResponse } from './replay.ts'
import type { TestScope } from '../context/scope.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { wireRequest } from '../call/wire-request.ts'

/**
 * Answers what has the address of an LLM call; `undefined` lets it pass, as what turns out to be none does.
 * The engine is loaded for what is not recorded word for word.
 *
 * @param read gives the request
 */
export async function answerLlmCall(
  read: () => WholeRequest | Promise<WholeRequest>,
  call: JudgedCall,
  later: Later,
): Promise<Response | undefined> {
  const { scope, order, open } = call.stamp
  try {
    if (isTwoWay(call.url.pathname)) throw twoWayError(call.url)
    const request = await read()
    markSent(open)
    const wire = wireRequest(request)
    const verbatim = typeof scope === 'object' && scope.verbatimAt(order)?.answer(wire, order)
    if (verbatim) return replayResponse(verbatim)
    return await later.engine().answerFromSession(request, wire, call)
  } catch (error) {
    // Thrown on, it would become a 500, which every SDK tries again.
    const { message } = error as Error
    if (scope) (scope as TestScope).reject(asCassetteError(error as Error))
    return refuse(call.url.href, message)
  }
}

function twoWayError({ host, pathname }: URL): CassetteError {
  return new CassetteError(
    'refused',
    `${host}${pathname} is answered while it is still being asked, so there is no whole prompt to compare: ` +
      'it can be neither recorded nor replayed, and is not sent. Put a fake of your own in its place, or run with RECORD=off.',
  )
}

function asCassetteError(error: Error): CassetteError {
  if (CassetteError.isInstance(error)) return error
  return new CassetteError('internal', `vitest-cassette failed: ${error.message}`, { cause: error })
}
