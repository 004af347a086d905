import { shared } from './shared.ts'

/** Who answers in this process: its own cassettes, or the gateway of the test that started it. */
type Kind = 'own' | 'gateway'

const installed = shared<{ end?: () => void; kind?: Kind }>('installed', () => ({}))

/** The function that ends the interception of this process, shared by all copies of this package. */
export const installedEnd = {
  get: (): (() => void) | undefined => installed.end,
  /** Whether this process has cassettes of its own. */
  isOwn: (): boolean => installed.kind === 'own',
  set(end: (() => void) | undefined, kind?: Kind): void {
    installed.end = end
    installed.kind = kind
  },
}
