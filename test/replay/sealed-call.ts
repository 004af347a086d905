import type { Attempt } from '../../src/attempt/attempt.ts'
import * as calls from '../../src/transports/intercept/answer/calls-layer.ts'
import { fetchSealed } from '../../src/transports/intercept/answer/replay-sealed.ts'
import { type Layers, layers } from '../../src/transports/layers.ts'

/** Calls fetch in the scope of an attempt, at an address of a provider. */
export function fetchIn(
  attempt: Attempt,
  url: string,
  init: RequestInit,
  parts: Layers = layers,
): Promise<Response> {
  return fetchSealed(() => calls, url, init, {
    scope: attempt,
    original: () => Promise.reject(new Error('not answered')),
    answers: {
      judge: () => 'certain',
      answer: (request, context) => calls.answer(request, context, attempt.config, parts),
      later: layers.replay,
    },
  })
}
