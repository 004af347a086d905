import type { TestInfo } from '@playwright/test'
import { hasColors } from '../../config/has-colors.ts'
import type { Failure } from '../../explain/judge-attempt.ts'
import type { Attempt } from '../../attempt/attempt.ts'
import { realTime } from '../../real/clock.ts'
import { awaitRequests } from '../../transports/open-requests.ts'

/** Whether `beforeAll` or `afterAll` runs, which Playwright tells by the object of a test that is not running. */
export function isInHook(test: TestInfo): boolean {
  const { _currentHookType: hook } = test as { _currentHookType?(): string | undefined }
  return ['beforeAll', 'afterAll'].includes(hook?.call(test) ?? '')
}

/**
 * The requests of the `beforeAll` and `afterAll` of a test file in one worker. They share a cassette, as other workers
 * can run other hooks of the file: each adds its own, and none misses those of others.
 */
export class HookCassette {
  readonly file: string
  readonly attempt: Attempt
  /** The tokens of contexts that a hook created. Tests can go on with them. */
  readonly token: string = crypto.randomUUID()

  constructor(file: string, attempt: Attempt) {
    this.file = file
    this.attempt = attempt
  }

  /** Waits for the answers of a hook. Returns its failure where a request of it misses; then the cassette is closed. */
  async endHook(): Promise<Failure | undefined> {
    await awaitRequests(this.attempt)
    const hasMissed = this.attempt.wasAsked && this.attempt.session.misses.length > 0
    return hasMissed ? this.close() : undefined
  }

  /** Writes what was recorded, when no test of the file is left in this worker. */
  async close(): Promise<Failure | undefined> {
    if (!this.attempt.wasAsked) return void this.attempt.abandon()
    const color = hasColors()
    const outcome = { passed: true, partial: true, now: realTime(), color }
    return (await this.attempt.close(outcome)).failure
  }
}
