import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { LateRequest } from '../engine/late-requests.ts'
import type { Session } from '../engine/session.ts'
import type { TestIdentity } from '../engine/session-options.ts'
import type { Journal } from '../cassette/disk/journal.ts'
import type { Failure, Outcome, Verdict } from '../explain/judge.ts'

/** Whose cassette it is, and where that is kept: one test, one file outside of its tests, or one program. */
export interface Owner {
  /** The root of the project. */
  root: string
  /** How messages name it. */
  test(dir: string): TestIdentity
  /** The path of the cassette, below the cassette folder. */
  path(dir: string): string
  /** A path below the root, from where the user stands. */
  shown(path: string): string
  /** Reports what the owner does not wait for; without it, nothing is reported. */
  late?: LateListener
}

/** Takes in requests that came when their test had ended. */
export interface LateListener {
  hear(session: Session, request: LateRequest): void
  /** Leaves answers that no cassette waits for to `recover`. */
  release(journal: Journal): void
}

/** A session, and whose it is. */
export interface OpenSession {
  session: Session
  owner: Owner
  /** Opens another session of the same owner. */
  another(config: ResolvedConfig): OpenSession
}

/** How an attempt ended: what it failed for, and the verdict, where one was needed. */
export interface Ended {
  failure?: Failure
  verdict?: Verdict
}

/** What an attempt is opened and ended with; both are loaded when they are needed. */
export interface Host {
  open(owner: Owner, config: ResolvedConfig): OpenSession
  close(open: OpenSession, outcome: Outcome): Promise<Ended>
}
