import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { LateRequest } from '../engine/late-requests.ts'
import type { Session } from '../engine/session.ts'
import type { TestIdentity } from '../engine/session-contract.ts'
import type { Journal } from '../cassette/journal.ts'
import type { RenderedFailure } from '../explain/failure.ts'
import type { AttemptOutcome, Verdict } from '../explain/judge-attempt.ts'
import type { Params } from '../conversation/params.ts'
import type { ReplayByHash } from '../replay/replay-by-hash.ts'

/** The owner of a cassette, and where the cassette is kept: one test, one file outside of its tests, or one program. */
export interface Owner {
  /** The root of the project. */
  root: string
  /** The names of the owner in messages. */
  test(dir: string): TestIdentity
  /** The path of the cassette, below the cassette folder. */
  path(dir: string): string
  /** The number of the repeat of the test; the first, and what is never repeated, has none. */
  readonly sample?: number | undefined
  hasCassette(config: ResolvedConfig): boolean
  /** A path below the root, relative to the working directory. */
  shown(path: string): string
  /**
   * Finds the cassette of an owner that its first request tells apart from others.
   *
   * @param counts whether the request is certain to be one of this owner
   */
  readonly take?: Session['take']
  /** Reports requests that the owner does not wait for; without it, they are not reported. */
  late?: LateListener
}

/** Receives requests that came when their test had ended. */
export interface LateListener {
  hear(session: Session, request: LateRequest): void
  /** Leaves answers that no cassette waits for to `recover`. */
  release(journal: Journal): void
}

export interface OpenSession {
  session: Session
  owner: Owner
  another(config: ResolvedConfig): OpenSession
}

/** The end of an attempt: its failure, and the verdict where one was needed. */
export interface Ended {
  failure?: RenderedFailure
  verdict?: Verdict
}

/** Opens and closes the session of an attempt; both parts are loaded when they are needed. */
export interface Host {
  /**
   * @param sealed the replay from which the session goes on
   * @param params the parameters that the test declared before
   */
  open(owner: Owner, config: ResolvedConfig, sealed?: ReplayByHash, params?: Params): OpenSession
  /** Opens a replay by hashes; `undefined` where that is not enough. */
  openSealed?(
    owner: Owner,
    config: ResolvedConfig,
    params: Params | undefined,
  ): ReplayByHash | undefined
  /** Whether a session replayed its whole cassette, and nothing else was asked. */
  onlyReplayed(session: Session): boolean
  close(open: OpenSession, outcome: AttemptOutcome): Promise<Ended>
}
