import { shared } from '../../../real/shared.ts'

/** The interception of this process, shared by all copies of this package. */
export const interception: {
  /** Ends it. */
  end?: () => void
  /** Whether cassettes of this process answer, and not the gateway of the test that started it. */
  isOwn?: boolean
} = shared('installed', () => ({}))
