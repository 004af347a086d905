import { currentScope, failing } from '../../scope.ts'
import type { answerFetch, FetchAnswers } from '../http/fetch-interceptor.ts'

type Fetch = typeof globalThis.fetch

/** The fetch of Bun, where it runs this. */
const ofBun = process.versions.bun && globalThis.fetch

/** Node's own fetch, while it is intercepted. */
let behind: Fetch | undefined

/** The fetch of the environment. */
let found: Fetch | undefined

/** The function in its place. */
let intercepting: Fetch | undefined

/** Whether a function is Node's own fetch, or answers in its place here. */
export function isOwnFetch(fetch: Fetch): boolean {
  return fetch === intercepting || isNodesOwn(fetch)
}

/** Node's own fetch, for requests past interception; `undefined` where nothing intercepts it. */
export function nodeFetch(): Fetch | undefined {
  return behind
}

/** The fetch that was there before any test, which takes the requests of the environment. */
export function firstFetch(): Fetch {
  return behind ?? found ?? globalThis.fetch
}

/**
 * Intercepts the global fetch. Whoever replaced it before, such as the MSW server of a user, gets the request first.
 * Returns a function that ends this.
 *
 * @param load loads what answers, at the first call
 * @param send sends what passes, in the place of the fetch that is intercepted
 */
export function interceptFetch(
  answers: FetchAnswers,
  load: () => { answerFetch: typeof answerFetch },
  send?: Fetch,
): () => void {
  const known = globalThis.fetch
  found = known
  if (!isNodesOwn(known) || 'window' in globalThis) return () => {}
  const original = send ?? known
  let isOpen = true
  // An application would take an error from here for one of its provider.
  const fetch: Fetch = failing((input, init) => {
    const scope = currentScope()
    if (!isOpen || scope === 'upstream') return original(input, init)
    const take = (scope && answers.sealed) ?? load().answerFetch
    return take(input, init, { scope, original, answers })
  })
  behind = original
  intercepting = fetch
  globalThis.fetch = fetch
  return () => {
    behind = undefined
    // A spy can restore this function after interception has ended.
    isOpen = false
    if (globalThis.fetch === fetch) globalThis.fetch = known
  }
}

/** False where another interceptor, such as an MSW server, was installed first. It then comes first. */
function isNodesOwn(fetch: Fetch | undefined): boolean {
  return ofBun ? fetch === ofBun : String(fetch).includes('internal/deps/undici')
}
