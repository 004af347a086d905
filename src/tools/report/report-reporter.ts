import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import pc from 'picocolors'
import type { TestError } from 'vitest'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { hasColors } from '../../config/has-colors.ts'
import { displayPath } from '../../config/paths.ts'
import { readEnvironment } from '../../config/environment.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { printable } from '../../text/printable.ts'
import { CassetteError } from '../../errors.ts'
import { labelled } from '../../explain/labelled.ts'
import type { CassetteMeta } from '../../attempt/count-requests.ts'
import { linkToCassette } from '../page/data/report-link.ts'
import type { RunFailure } from '../page/run-failures.ts'
import {
  configOfModule,
  type EndedTest,
  endedTestsOf,
  type RunWatcher,
  summaryRows,
} from '../../runners/run-watchers.ts'
import { hasStandIns } from '../../attempt/run-channel.ts'

/** A project whose cassettes go into a report. */
interface Project {
  root: string
  config: ResolvedConfig
}

interface Report {
  folder: string
  projects: Project[]
  failures: RunFailure[]
}

interface Failed {
  error: TestError
  title: string
  meta: CassetteMeta
}

/** Watches each run whose results say something about the recordings. */
export const reportOfRun: RunWatcher = {
  watch: ({ run }) => (hasStandIns(run) ? undefined : new ReportReporter()),
  changesFailures: true,
}

/**
 * Writes all cassettes as a page at the end of a run if the option `report` is set, and adds a link into that page to
 * each failure. It has to come before the reporters that print.
 */
export class ReportReporter implements Reporter {
  /** By the folder of the report. */
  readonly #projects: Map<string, Project[]> = new Map()
  #vitest?: Vitest

  /** Takes one more project into the report that its options name. */
  add(root: string, config: ResolvedConfig): void {
    // A run that `doctor` starts writes no report: `doctor` prints its findings itself.
    if (config.report === undefined || config.run?.by === 'doctor') return
    const projects = this.#projects.get(config.report) ?? []
    this.#projects.set(config.report, [...projects, { root, config }])
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  /** Changes the failures before the first `await`: the reporters that print come next. */
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const { root, watch } = this.#vitest!.config
    if (watch) return
    const reports = Array.from(this.#projects, ([name, projects]): Report => {
      const folder = resolve(root, name)
      const failures = takeFailures(
        modules.filter((module) => configOfModule(module)?.report === name),
        folder,
      )
      return { folder, projects, failures }
    })
    for (const report of reports) await this.#write(report)
  }

  async #write({ folder, projects, failures }: Report): Promise<void> {
    const { CassetteStore, PriceTable, Progress, sourcesIn, writeReport } =
      await import('./at-report.ts')
    const { logger } = this.#vitest!
    const tell = (lines: string[]): void => logger.error(summaryRows('Report', lines, pc))
    const cwd = process.cwd()
    const folders = Map.groupBy(projects, ({ root, config }) => resolve(root, config.dir))
    const sources = [...folders].flatMap(([path, [first]]) => {
      const { maxCassetteBytes } = first!.config
      const store = new CassetteStore(cwd, relative(cwd, path) || '.', maxCassetteBytes)
      return sourcesIn(store)
    })
    const progress = new Progress({
      isLive: process.stderr.isTTY,
      columns: process.stderr.columns,
      write: (text) => void process.stderr.write(text),
    })
    try {
      const { page, unread } = await writeReport(folder, {
        sources: progress.over(sources, 'cassettes read for the report'),
        failures,
        prices: new PriceTable(projects[0]!.config.prices),
      })
      const problems = unread.map(({ problem }) => pc.yellow(printable(problem)))
      tell([printable(displayPath(cwd, page)), ...problems])
    } catch (error) {
      // The failures are on the screen already, and a report can be written again.
      if (!CassetteError.isInstance(error) && !(error instanceof Error && 'syscall' in error))
        throw error
      tell([pc.red(printable((error as Error).message))])
    }
  }
}

/** The failures, each once as Vitest prints it. Adds its place in the report to each error. */
function takeFailures(modules: readonly TestModule[], folder: string): RunFailure[] {
  const failed = modules.flatMap((module) => endedTestsOf(module).flatMap(failuresOf))
  const same = Map.groupBy(failed, ({ error }) => JSON.stringify([error.message, error.diff]))
  return Array.from(same.values(), (group) => {
    const [{ error }] = group as [Failed]
    const failure = {
      headline: error.message.split('\n')[0]!,
      details: error.diff ?? error.stack ?? error.message,
      tests: group.map(({ title, meta }) => ({ title, path: meta.cassette })),
      pictures: group.flatMap(({ meta }) => meta.differing ?? []),
    }
    const place = placeIn(folder, group[0]!.meta.cassette)
    // Vitest prints errors that are the same once.
    for (const one of group) addPlace(one.error, place)
    return failure
  })
}

function failuresOf({ title, meta: { cassette: meta }, errors, hasFailed }: EndedTest): Failed[] {
  return meta && hasFailed
    ? errors.map((error) => ({ error: error as TestError, title, meta }))
    : []
}

/** The place at the end of a diff, in colours or without. */
// oxlint-disable-next-line no-control-regex -- colours
const PLACE = /\n\n {2}(?:\u001b\[2m)?report {3}(?:\u001b\[22m)? [^\n]*$/

/** Adds the place to the diff of our errors only: the diff of another error is its own. */
function addPlace(error: TestError, place: string): void {
  if (error.name !== 'CassetteError' || error.diff === undefined) return
  // Reports of several runs that are merged have a place each.
  const own = error.diff.replace(PLACE, '')
  error.diff = `${own}\n\n${labelled('report', place, hasColors())}`
}

/** A `file:` address that a terminal opens; on CI, where no terminal can open it, the path of the page. */
function placeIn(folder: string, cassette: string): string {
  const page = resolve(folder, 'index.html')
  const { ci } = readEnvironment(process.env)
  const address = ci ? displayPath(process.cwd(), page) : pathToFileURL(page).href
  return address + linkToCassette(cassette)
}
