import { shared } from './shared.ts'

const installed = shared<{ end?: () => void }>('installed', () => ({}))

/** What ends the interception of this process, for every copy of this package in it. */
export const installedEnd = {
  get: (): (() => void) | undefined => installed.end,
  set(end: (() => void) | undefined): void {
    installed.end = end
  },
}
