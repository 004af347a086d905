import { requireFrom } from '../real/load-later.ts'

/** The version in package.json, which lies one folder above the built file and two above this one. */
export function ownVersion(): string {
  const load = requireFrom(import.meta.url)
  for (const path of ['../package.json', '../../package.json']) {
    try {
      return (load(path) as { version: string }).version
    } catch {
      // Try the other path.
    }
  }
  return 'unknown'
}
