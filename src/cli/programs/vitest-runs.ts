import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { MUTANTS } from '../../config/environment.ts'
import { requireOfVitest } from './run-vitest.ts'

type VitestNode = typeof import('vitest/node')

/** Which tests are run. */
export interface TestFilters {
  files: readonly string[]
  testNamePattern?: string
  projects: readonly string[]
}

/** The tests of a project, run in replay as often as needed by one Vitest, which reads each file of the project once. */
export class VitestRuns implements AsyncDisposable {
  /** What Vitest has printed. */
  output = ''
  readonly #cwd: string
  readonly #folder: string
  readonly #filters: TestFilters
  #vitest?: Awaited<ReturnType<VitestNode['createVitest']>>

  /** @param folder where cassettes stand in for others, and what became of tests is said */
  constructor(cwd: string, folder: string, filters: TestFilters) {
    this.#cwd = cwd
    this.#folder = folder
    this.#filters = filters
  }

  /**
   * Runs the tests of some files, or of all that are meant.
   *
   * @throws CassetteError `invalid-command` where there is no Vitest.
   */
  async run(files: readonly string[]): Promise<void> {
    if (!this.#vitest) {
      this.#vitest = await this.#create()
      // What is wrong with a config or a filter is among what it prints.
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
    const { testNamePattern, projects } = this.#filters
    // Workers have what their parent has.
    Object.assign(process.env, { RECORD: '0', [MUTANTS]: this.#folder })
    const heard = new Writable({
      write: (chunk, _, done) => {
        this.output += String(chunk)
        done()
      },
    })
    const options = {
      root: this.#cwd,
      watch: false,
      coverage: { enabled: false },
      includeTaskLocation: true,
      // A test that is tried again tells nothing new, and one that failed is no reason to stop.
      retry: 0,
      bail: 0,
      reporters: [{}],
      ...(testNamePattern === undefined ? {} : { testNamePattern }),
      ...(projects.length > 0 ? { project: [...projects] } : {}),
    }
    return vitest.createVitest('test', options, {}, { stdout: heard, stderr: heard })
  }
}
