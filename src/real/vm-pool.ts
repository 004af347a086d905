import { runInThisContext } from 'node:vm'

/** True in a vm pool of Vitest, where each test file has a context of its own that ends with it. */
export function isInVmPool(): boolean {
  return runInThisContext('Object') !== Object
}
