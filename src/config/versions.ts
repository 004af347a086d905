import { createRequire } from 'node:module'
import { join } from '../real/path.ts'
import { CassetteError, withFrames } from '../errors.ts'
import { existsSync, readFileSync, realpathSync } from '../real/files.ts'
import { requireFrom } from '../real/load-later.ts'
import { isOlder } from './old-node.ts'

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

/** The oldest release of Vitest that can run this package, as package.json says. */
const OLDEST = [3, 2] as const

/**
 * Throws for a release of Vitest in which the set-up would do nothing, or fail with an obscure error.
 *
 * @throws CassetteError `unsupported-vitest`
 */
export function refuseOldVitest(version: string | undefined): void {
  if (version === undefined || !isOlder(version, OLDEST)) return
  const problem =
    `vitest-cassette needs Vitest ${OLDEST.join('.')} or later, and this is Vitest ${version}: ` +
    'it tells plugins too little of a run and its tests, so calls would ask the providers unseen.\n' +
    'To update it: npm install -D vitest@latest'
  throw withFrames(new CassetteError('unsupported-vitest', problem), [])
}

/**
 * Explains why a set-up failed, if Vitest is too old: then it lacks what the set-up needs, or is not the one that this
 * package finds.
 *
 * @throws always
 */
export function explainFailedSetUp(error: unknown, root: string): never {
  refuseOldVitest(runningVitest(root))
  throw error
}

/** The release of Vitest that runs in this process. */
export function runningVitest(root: string): string | undefined {
  const file = fileOfVitest('vitest/package.json', root)
  return file && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** A file of the Vitest that runs in this process: that of the command, or else that of the project. */
export function fileOfVitest(name: string, root: string): string | undefined {
  const [, command = root] = process.argv
  return resolveFrom(command, name) ?? resolveFrom(join(root, 'package.json'), name)
}

function resolveFrom(file: string, name: string): string | undefined {
  try {
    // A command is a link in `.bin`.
    const path = existsSync(file) ? realpathSync(file) : file
    return createRequire(path).resolve(name)
  } catch {
    return undefined
  }
}
