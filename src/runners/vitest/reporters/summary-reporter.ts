import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { hasColors } from '../../../config/has-colors.ts'
import { sendsNothing } from '../../../config/mode.ts'
import { JOURNAL_FOLDER } from '../../../config/paths.ts'
import { countOf } from '../../../text/count-of.ts'
import { printable } from '../../../text/printable.ts'
import { unrecordedOfRun } from '../../../transports/guard-run.ts'
import type { SeenServers } from '../../../transports/reports.ts'
import { endedTestsOf, summaryRows } from '../../run-watchers.ts'

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
    this.#nameServers(modules, seen)
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
  #nameServers(modules: readonly TestModule[], servers: readonly SeenServers[]): void {
    const names = modules.flatMap(
      ({ project }) => project.getProvidedContext()['vitest-cassette']?.config.mcp ?? [],
    )
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
    const used = [...roots].filter(hasJournals)
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

/** Whether answers were kept that may be in no cassette yet. To read them loads most of this package. */
function hasJournals(root: string): boolean {
  const folder = join(root, JOURNAL_FOLDER)
  return (
    existsSync(folder) &&
    readdirSync(folder, { encoding: 'utf8', recursive: true }).some((name) =>
      name.endsWith('.jsonl'),
    )
  )
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

/** The name of the missing variable in errors of SDKs and applications. */
const KEY_NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|KEY_ID)\b/g

/** The errors of SDKs that do not name the variable. */
const NAMELESS = /could not resolve authentication|missing credentials|credential is missing/i

/**
 * The advice for a recording run whose tests failed because a key is missing; `undefined` if none did.
 *
 * @param errors the messages of all errors of the run
 * @param env the environment variables that are set
 */
export function explainMissingKeys(
  errors: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const named = errors.flatMap((message) => message.match(KEY_NAME) ?? [])
  const missing = [...new Set(named)].filter((name) => !env[name])
  const isNameless = errors.some((message) => NAMELESS.test(message) && !message.match(KEY_NAME))
  if (missing.length === 0 && !isNameless) return undefined
  const [first = 'its key', ...others] = missing
  const names = [first, ...others.slice(0, 3)].join(' or ')
  const wanted = `Recording asks the provider itself, which takes a real key: set ${names}.`
  if (readEnvironment(env).run) return `${wanted}\nThis command reads .env as well.`
  return [
    wanted,
    'Vitest reads .env files for names that begin with VITE_ alone. To read one whole, at the top of the config:',
    "  try { process.loadEnvFile('.env') } catch {}",
    'Or record with npx vitest-cassette record, which reads .env whole.',
  ].join('\n')
}

/** Vitest's own mark of a file whose types alone are checked: nothing of it runs. */
interface Typed {
  meta: { typecheck?: boolean }
}

/** Names the files that ran without our set-up, so that nothing answered their calls; `undefined` if there are none. */
function explainWithoutSetUp(modules: readonly TestModule[]): string | undefined {
  const live = modules.filter(
    (module) => !module.meta().isSetUp && hasRun(module) && !isOff(module),
  )
  if (live.length === 0) return undefined
  const [their, them] = live.length === 1 ? ['its', 'it'] : ['their', 'them']
  return [
    `${countOf(live.length, 'file')} ran without the set-up of vitest-cassette, so ${their} calls were neither recorded nor replayed:`,
    ...live.map(({ relativeModuleId, project: { name, config } }) => {
      const pool = config.poolRunner?.name ?? config.pool
      return `  ${relativeModuleId} (${[...(name ? [`project ${name}`] : []), `pool ${pool}`].join(', ')})`
    }),
    'A pool of its own, a runner, or another plugin left the set-up file out. Run them in the pool forks, threads,',
    'vmThreads or vmForks, with the setupFiles that the plugin sets.',
    `If ${them === 'it' ? 'it is' : 'they are'} meant to be live, give ${them} a project whose config has plugins: [cassettes({ mode: 'off' })].`,
  ].join('\n')
}

function hasRun({ task, children }: TestModule & { task?: Typed }): boolean {
  if (task?.meta.typecheck) return false
  return Array.from(children.allTests()).some((test) => {
    const { state } = test.result()
    return state === 'passed' || state === 'failed'
  })
}

function isOff({ project }: TestModule): boolean {
  return project.getProvidedContext()['vitest-cassette']?.config.mode === 'off'
}

/**
 * Warns of names in the option `mcp` that match no server. `undefined` if every name matched, or if the run used no
 * other server that could be meant.
 *
 * @param names the names in the option
 */
export function renderServers(
  names: readonly string[],
  servers: ReadonlyArray<Pick<SeenServers, 'found' | 'others'>>,
): string | undefined {
  const found = new Set(servers.flatMap((one) => one.found))
  const others = [...new Set(servers.flatMap((one) => one.others))]
  const missing = [...new Set(names)].filter((name) => !found.has(name))
  if (missing.length === 0 || others.length === 0) return undefined
  const quoted = missing.map((name) => `'${name}'`).join(', ')
  return [
    `the option mcp names ${quoted}, and no server of this run is called so. These are real, and not recorded:`,
    ...others.map((place) => `  ${place}`),
    'A name is one or more whole words of the command, or of the address.',
  ].join('\n')
}
