import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { startedBy } from '../../config/environment.ts'
import { defined, unlessEmpty } from '../../providers/fields.ts'
import { requireOfVitest } from '../programs/run-vitest.ts'

type VitestNode = typeof import('vitest/node')

/** Selects the tests to run. */
interface TestFilters {
  files: readonly string[]
  testNamePattern?: string
  projects: readonly string[]
  config?: string
}

/** Runs the tests of a project in replay, repeatedly and in one Vitest, which reads each file of the project once. */
export class VitestRuns implements AsyncDisposable {
  /** The output of Vitest so far. */
  output = ''
  readonly #cwd: string
  readonly #folder: string
  readonly #filters: TestFilters
  #vitest?: Awaited<ReturnType<VitestNode['createVitest']>>

  /** @param folder the folder of the changed cassettes and of the test results */
  constructor(cwd: string, folder: string, filters: TestFilters) {
    this.#cwd = cwd
    this.#folder = folder
    this.#filters = filters
  }

  /**
   * Runs all selected tests on the first call, and those in `files` on later calls.
   *
   * @throws CassetteError `invalid-command` where there is no Vitest.
   */
  async run(files: readonly string[]): Promise<void> {
    if (!this.#vitest) {
      this.#vitest = await this.#create()
      // The output names the problem of a config or a filter.
      return void (await this.#vitest.start([...this.#filters.files]).catch(() => {}))
    }
    const known = await this.#vitest.globTestSpecifications([...this.#filters.files])
    const meant = known.filter(({ moduleId }) => files.includes(moduleId))
    await this.#vitest.rerunTestSpecifications(meant)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#vitest?.close()
  }

  async #create() {
    const path = requireOfVitest(this.#cwd).resolve('vitest/node')
    const vitest = (await import(pathToFileURL(path).href)) as VitestNode
    const { testNamePattern, projects, config } = this.#filters
    // Workers inherit the environment.
    Object.assign(process.env, { RECORD: '0', ...startedBy('record', this.#folder) })
    const heard = new Writable({
      write: (chunk, _, done) => {
        this.output += String(chunk)
        done()
      },
    })
    const options = defined({
      root: this.#cwd,
      watch: false,
      coverage: { enabled: false },
      includeTaskLocation: true,
      // A retry tells nothing new, and a failure must not stop the run.
      retry: 0,
      bail: 0,
      reporters: [{}],
      testNamePattern,
      config: config === undefined ? undefined : resolve(this.#cwd, config),
      project: unlessEmpty([...projects]),
    })
    return vitest.createVitest('test', options, {}, { stdout: heard, stderr: heard })
  }
}
