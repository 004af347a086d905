import { captureCallSite, stackLines } from '../errors.ts'
import { standInKey, TWICE } from '../providers/stand-in-keys.ts'
import type { Lending } from './lend-keys.ts'

export { isKeyName } from '../providers/stand-in-keys.ts'

/** The key that is lent to the code that reads a variable now. Called by the trap of a proxy. */
export function lentKey(
  name: string,
  env: NodeJS.ProcessEnv,
  { lender, refused }: Lending,
): string | undefined {
  if (!lender?.isOpen() || refused?.has(name)) return undefined
  const isPackage = isCalledByPackage()
  const borrows = isPackage ? name !== TWICE : lender.isRecorded()
  return borrows ? standInKey(name, env, () => lender.isRecorded()) : undefined
}

/** Whether a value is what is lent for a variable, rather than one of the user. */
export function isStandIn(name: string, env: NodeJS.ProcessEnv, value: unknown): boolean {
  return value === standInKey(name, { ...env, [name]: undefined }, () => true)
}

/** True when the code that reads the variable is an installed package. */
function isCalledByPackage(): boolean {
  // The first four frames are `captureCallSite`, this function, `lentKey`, and the trap of the proxy.
  const [, , , , reader = ''] = stackLines(captureCallSite('read here', 5))
  return /[\\/]node_modules[\\/]/.test(reader)
}
