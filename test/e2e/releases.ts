import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isNight } from '../effort.ts'
import type { Need } from '../needs.ts'

/** The folder in which the older releases are installed. */
export const installed: string = fileURLToPath(
  new URL('../../versions/node_modules/', import.meta.url),
)

/** The folder of the packages of this repository. */
export const ofOwn: string = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** Of what there are several releases, oldest first: the oldest and the newest for each change, all at night. */
export function ends<Release>(all: readonly Release[]): Release[] {
  return all.filter((_, at) => isNight || at === 0 || at === all.length - 1)
}

/** The folder of each release of Vitest. 4.0 has its own name, by which its browser mode finds it. */
export const RELEASES: ReadonlyMap<string, string> = new Map(
  ends([
    ['3.2', join(installed, 'vitest-3.2')],
    ['4.0', join(installed, 'vitest')],
    ['4.1', join(installed, 'vitest-4.1')],
    ['5', join(ofOwn, 'vitest')],
  ] as const),
)

/** What the tests of a release of Vitest need. The newest comes with this repository. */
export function neededBy(release: string): Need[] {
  return release === '5' ? [] : ['versions']
}
