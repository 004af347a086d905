import { createRequire } from 'node:module'

/** The version in the package.json above, which is nearer to the built file than to this one. */
export function ownVersion(): string {
  const require = createRequire(import.meta.url)
  for (const path of ['../package.json', '../../package.json']) {
    try {
      return (require(path) as { version: string }).version
    } catch {
      // The other one.
    }
  }
  return 'unknown'
}
