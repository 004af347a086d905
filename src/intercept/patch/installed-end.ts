import { shared } from './shared.ts'

/** What stands before the engine in a process: its own cassettes, or a way to those of the test that started it. */
type Kind = 'own' | 'gateway'

const installed = shared<{ end?: () => void; kind?: Kind }>('installed', () => ({}))

/** What ends the interception of this process, for every copy of this package in it. */
export const installedEnd = {
  get: (): (() => void) | undefined => installed.end,
  /** Whether this process has cassettes of its own. */
  isOwn: (): boolean => installed.kind === 'own',
  set(end: (() => void) | undefined, kind?: Kind): void {
    installed.end = end
    installed.kind = kind
  },
}
