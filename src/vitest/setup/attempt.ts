import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { folderOfFile, type TestPlace } from '../../cassette/disk/test-place.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { Attempt as Ended } from '../../explain/judge.ts'
import { TestScope, type Scope } from '../../intercept/context/scope.ts'
import type { closeSession } from './close-session.ts'
import { later } from './later.ts'
import type { LateRequests } from './late-requests.ts'
import type { OpenSession } from './open-sessions.ts'

const attempts: WeakMap<TestScope, Attempt> = new WeakMap()

/** One attempt of one test, or a file outside of its tests, with the cassette that it may have. */
export class Attempt {
  readonly scope: TestScope
  readonly #place: TestPlace
  readonly #dir: string
  #open?: OpenSession

  constructor(place: TestPlace, root: string, config: ResolvedConfig, late: LateRequests) {
    this.#place = place
    this.#dir = join(root, config.dir)
    this.scope = new TestScope(config, {
      verbatim: (config) => later.replay().openVerbatim(place, root, config),
      session: (config, asked) => {
        this.#open = later.engine().openSession(place, root, config, late, asked)
        return this.#open.session
      },
    })
    attempts.set(this.scope, this)
  }

  /** The attempt that a scope belongs to. */
  static of(scope: Scope | undefined): Attempt | undefined {
    return typeof scope === 'object' ? attempts.get(scope) : undefined
  }

  /** Whether any test of the same file has a cassette. */
  get hasNeighbours(): boolean {
    return existsSync(join(this.#dir, folderOfFile(this.#place.file)))
  }

  get hasCassette(): boolean {
    // The name of a cassette takes more to tell than that there is none.
    return (
      this.hasNeighbours && existsSync(join(this.#dir, later.replay().cassettePath(this.#place)))
    )
  }

  /** True where nothing was asked and nothing was to be asked. A cassette can be left behind by a test. */
  get owesNothing(): boolean {
    return !this.scope.wasAsked && !this.hasCassette
  }

  /** Ends the attempt; see {@link closeSession}. */
  async close(ended: Ended): ReturnType<typeof closeSession> {
    const { whole } = this.scope
    if (whole && ended.passed) {
      this.scope.close()
      return { meta: later.replay().countVerbatim(whole, this.#place, this.scope.config) }
    }
    const { session } = this.scope
    return later.engine().closeSession({ ...this.#open!, session }, ended)
  }
}
