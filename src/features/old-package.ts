import { CassetteError, type ErrorCode, withFrames } from '../errors.ts'
import { requireFrom } from '../real/load-later.ts'
import { isOlder } from '../config/old-node.ts'

/**
 * Throws for a package that is too old for the part of this one that uses it. npm has no such limit to check: it would
 * refuse to install this package beside an older one, also where nothing uses both.
 *
 * @throws CassetteError
 */
export function refuseOldPackage(
  name: string,
  version: string | undefined,
  oldest: readonly [major: number, minor: number],
  { use, code = 'refused' }: { use: string; code?: ErrorCode },
): void {
  if (version === undefined || !isOlder(version, oldest)) return
  const problem =
    `${use} needs ${name} ${oldest.join('.')} or newer, found ${version}.\n` +
    `To update it: npm install -D ${name}@latest`
  throw withFrames(new CassetteError(code, problem), [])
}

/** The version of a package that this one finds; `undefined` if it cannot be read. */
export function versionOf(name: string): string | undefined {
  try {
    return (requireFrom(import.meta.url)(`${name}/package.json`) as { version: string }).version
  } catch {
    return undefined
  }
}
