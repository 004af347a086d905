import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { hasColors } from '../../../config/has-colors.ts'
import { JOURNAL_FOLDER } from '../../../config/paths.ts'
import { sendsNothing } from '../../../config/mode.ts'
import { countOf } from '../../../text/count-of.ts'
import { printable } from '../../../text/printable.ts'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import { unrecordedOfRun } from '../../../transports/guard-run.ts'
import type { SeenServers } from '../../../transports/reports.ts'
import { endedTestsOf, summaryRows } from '../../run-watchers.ts'
import { explainMissingKeys } from './missing-keys.ts'
import { explainWithoutSetUp } from './without-set-up.ts'

/** Prints what a run replayed, recorded and missed, behind Vitest's own summary. */
export class SummaryReporter implements Reporter {
  #vitest?: Vitest

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    // Global set-ups and other reporters can ask when the run has ended.
    process.once('exit', () => this.#nameGlobalSetUp())
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    await this.#nameInterrupted(modules)
    this.#nameMissingKeys(modules)
    this.#nameGlobalSetUp()
    this.#failFor('No set-up', explainWithoutSetUp(modules))
    const seen = modules.flatMap((module) => module.meta().seenServers ?? [])
    await this.#nameServers(modules, seen)
    await this.#nameTunnels(seen)
    const hasForeign = await this.#nameForeign(seen)
    const asked = modules.flatMap((module) =>
      countsOf(module).map((meta) => ({ project: module.project.name, meta })),
    )
    const counted = asked.map(({ meta }) => meta)
    if (!counted.some(asksOrIsAsked)) {
      if (!hasForeign) await this.#nameNothing(modules)
      return
    }
    const { renderOverwritten, renderSummary } = await import('./at-run-end.ts')
    this.#failFor('Overwritten', renderOverwritten(asked))
    // Standard error: with some reporters, standard output is data.
    this.#vitest?.logger.error(renderSummary(counted, pc.createColors(hasColors())))
  }

  /** The error of an SDK without a key does not mention recording, and may come before the first test. */
  #nameMissingKeys(modules: readonly TestModule[]): void {
    const errors = modules.filter(isRecording).flatMap(errorsOf)
    const problem = explainMissingKeys(errors, process.env)
    if (problem === undefined) return
    this.#warn('Keys', problem)
  }

  /** What belongs to no test is in no cassette, and replay refuses it. */
  #nameGlobalSetUp(): void {
    const texts = unrecordedOfRun()
    for (const text of texts) this.#warn('Unrecorded', text)
    if (texts.length > 0) process.exitCode = 1
  }

  /** Names MCP servers that a misspelt name in the option leaves real: no test fails for them. */
  async #nameServers(
    modules: readonly TestModule[],
    servers: readonly SeenServers[],
  ): Promise<void> {
    if (!servers.some(({ others }) => others.length > 0)) return
    const names = modules.flatMap(
      ({ project }) => project.getProvidedContext()['vitest-cassette']?.config.mcp ?? [],
    )
    const { renderServers } = await import('./at-run-end.ts')
    const text = renderServers(names, servers)
    if (text !== undefined) this.#warn('MCP', text)
  }

  /** Calls in a tunnel are neither recorded nor replayed, and nothing fails for them. */
  async #nameTunnels(seen: readonly SeenServers[]): Promise<void> {
    const tunnels = seen.flatMap((one) => one.tunnels)
    if (tunnels.length === 0) return
    const { explainTunnels } = await import('./at-run-end.ts')
    this.#warn('Tunnels', explainTunnels(tunnels))
  }

  /** Names mocks that answered calls of a recording. Nothing fails for them: they can be meant to stay. */
  async #nameForeign(seen: readonly SeenServers[]): Promise<boolean> {
    const answers = seen.flatMap((one) => one.foreign)
    if (answers.length === 0) return false
    const { explainForeign } = await import('./at-run-end.ts')
    this.#warn('Unrecorded', explainForeign(answers)!)
    return true
  }

  /** A recording that was asked nothing would end without a word. */
  async #nameNothing(modules: readonly TestModule[]): Promise<void> {
    const tests = modules.filter(isRecording).flatMap((module) => [...module.children.allTests()])
    const ran = tests.filter((test) => test.result().state !== 'skipped')
    // A call that failed, as to a provider that cannot be reached, did come.
    const hasFailed = tests.some((test) => test.result().errors?.some(isOurs))
    if (ran.length === 0 || hasFailed) return
    const { explainNothing } = await import('./at-run-end.ts')
    this.#warn('Recorded', explainNothing(ran.length))
  }

  /** Fails the run for what no test can fail for. */
  #failFor(label: string, text: string | undefined): void {
    if (text === undefined) return
    this.#warn(label, text)
    process.exitCode = 1
  }

  #warn(label: string, text: string): void {
    const [first, ...lines] = printable(text).split('\n') as [string, ...string[]]
    this.#print(label, first, lines)
  }

  #print(label: string, first: string, lines: readonly string[]): void {
    const paint = pc.createColors(hasColors())
    this.#vitest?.logger.error(summaryRows(label, [paint.yellow(first), ...lines], paint))
  }

  /** A worker that was killed could not report this itself. */
  async #nameInterrupted(modules: readonly TestModule[]): Promise<void> {
    const roots = new Set(this.#vitest?.projects.map(({ config }) => config.root))
    const used = [...roots].filter((root) => existsSync(join(root, JOURNAL_FOLDER)))
    if (used.length === 0) return
    const { countInterrupted } = await import('./at-run-end.ts')
    const ran = new Set(modules.map((module) => module.relativeModuleId))
    const count = used.reduce((sum, root) => {
      // The recordings of other files are no business of this run, as long as these files are there.
      const isMeant = (id: string): boolean => {
        const [file = ''] = id.split(' > ')
        return ran.has(file) || !existsSync(join(root, file))
      }
      return sum + countInterrupted(root, isMeant)
    }, 0)
    if (count === 0) return
    const recordings = `${countOf(count, 'recording')} without a cassette: a run was killed, could not write, or did not wait for the answer`
    const wayOut = `To use the answers they paid for: ${pc.bold('npx vitest-cassette recover')}`
    this.#print('Interrupted', recordings, [wayOut])
  }
}

/** Whether a test has figures to show: exchanges, misses, unused exchanges, or the answers of a speaker. */
function asksOrIsAsked({ replayed, recorded, misses, unused, spoken }: CassetteMeta): boolean {
  return replayed + recorded + misses + unused > 0 || spoken !== undefined
}

/** Whether a file belongs to a project that records. */
function isRecording({ project }: TestModule): boolean {
  const mode = project.getProvidedContext()['vitest-cassette']?.config.mode
  return mode !== undefined && mode !== 'off' && !sendsNothing(mode)
}

/** Whether an error is one of this package. */
function isOurs({ name }: { name?: string }): boolean {
  return name === 'CassetteError'
}

/** The messages of all errors of a file. */
function errorsOf(module: TestModule): string[] {
  return endedTestsOf(module).flatMap(({ errors }) => errors.map(({ message }) => message))
}

/** The counts of a file and of its tests. */
function countsOf(module: TestModule): CassetteMeta[] {
  return endedTestsOf(module).flatMap(({ meta }) => meta.cassette ?? [])
}
