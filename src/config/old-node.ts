import { CassetteError, withFrames } from '../errors.ts'

/** The oldest release of Node that can run this package, as package.json says. */
const OLDEST = [22, 12] as const

/** Whether a release is older than another, of which the major and the minor number are given. */
export function isOlder(version: string, [oldestMajor, oldestMinor]: readonly number[]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < oldestMajor! || (major === oldestMajor && minor < oldestMinor!)
}

/** One line about a Node that is too old; `undefined` for one that is not. */
export function explainOldNode(version: string = process.versions.node): string | undefined {
  if (!isOlder(version, OLDEST)) return undefined
  return `vitest-cassette needs Node ${OLDEST.join('.')} or later, and this is Node ${version}.`
}

/**
 * Throws early for a Node that is too old, before anything else fails with an obscure error.
 *
 * @throws CassetteError `unsupported-node`
 */
export function refuseOldNode(version?: string): void {
  const problem = explainOldNode(version)
  if (problem === undefined) return
  // The stack would add nothing.
  throw withFrames(new CassetteError('unsupported-node', problem), [])
}
