import type { CassetteError } from '../errors.ts'
import type { Answer, AskedRequest, Miss, TestIdentity } from './session-contract.ts'
import type { Recording } from './recording.ts'

/** A request that its test did not wait for: it was created, or sent, when the test had ended. */
export interface LateRequest {
  /** Set where nothing answers it. */
  miss?: Miss
  /** Set where its connection was refused. */
  error?: CassetteError
  /** Set where it is recorded nevertheless; no cassette waits for it. */
  recording?: Recording
  /** The test that ran meanwhile, where there was one. */
  meanwhile?: TestIdentity
}

/** Decides which requests of an attempt come too late, and passes them to the reporter of late requests. */
export class LateRequests {
  /** Called with each late request. The verdict on the test ignores them. */
  hear: (request: LateRequest) => void = () => {}
  /** The number of the last request that counts. */
  #last = Infinity
  /** The late requests that are sent nevertheless. */
  readonly asked: AskedRequest[] = []
  /** Whether the cassette answers late requests nevertheless: those of a file whose tests are left out. */
  isLeft = false

  /** Requests that are created after this one come too late. */
  end(order: number, isLeft = false): void {
    this.#last = Math.min(this.#last, order)
    this.isLeft ||= isLeft
  }

  get isOver(): boolean {
    return this.#last < Infinity
  }

  /** Whether a request comes too late. */
  has(order: number): boolean {
    return order > this.#last
  }

  /** Lets a late request be sent. Its answer is paid for, so it is kept whenever it arrives. */
  record(
    asked: AskedRequest,
    recording: Recording,
    test: TestIdentity,
    meanwhile?: TestIdentity,
  ): Answer {
    this.asked.push(asked)
    const late: LateRequest = { recording, meanwhile }
    this.hear(late)
    const done = (kept: Promise<void>): void => {
      recording.kept = kept
      recording.testEnds?.(test.id)
    }
    return { action: 'record', recording, done }
  }
}
