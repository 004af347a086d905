import type { Attempt } from '../../../attempt/attempt.ts'
import { shared } from '../../../real/shared.ts'

/** What `scope.ts` keeps. */
const scopes = shared<{ ofFile?: Attempt }>('scopes', () => ({}))

/**
 * Lets a function tell the owner of requests that no test made, for a runner that does not say when it begins a file.
 * Returns what ends this.
 */
export function followFileScope(tell: () => Attempt): () => void {
  const plain = { configurable: true, enumerable: true }
  Object.defineProperty(scopes, 'ofFile', { ...plain, get: tell, set() {} })
  return () =>
    void Object.defineProperty(scopes, 'ofFile', { ...plain, writable: true, value: undefined })
}
