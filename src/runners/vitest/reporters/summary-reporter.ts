import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pc from 'picocolors'
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import { hasStandIns } from '../../../attempt/run-channel.ts'
import { isOn, readEnvironment, STARTED_RUN } from '../../../config/environment.ts'
import { hasColors } from '../../../config/has-colors.ts'
import { recordsAnswers } from '../../../config/decide-mode.ts'
import { JOURNAL_FOLDER } from '../../../config/paths.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { countOf } from '../../../text/count-of.ts'
import { printable } from '../../../text/printable.ts'
import { unrecordedOfRun } from '../../../transports/guard-run.ts'
import type { SeenServers } from '../../../transports/reports.ts'
import { configOfModule, endedTestsOf, isOurs, summaryRows } from '../../run-watchers.ts'
import { pathOfModule } from '../versions/run.ts'
import { countAttempts } from './count-attempts.ts'
import type { CassetteFolderOfRun, EndedRun } from './ended-run.ts'
import { tellOrphans } from './tell-orphans.ts'

/** A part of what is printed at the end of a run. */
interface Part {
  /** The label of a warning; the other parts have their own. */
  label?: string
  /** One text, or several below a label each. */
  tell: (run: EndedRun) => Promise<Told> | Told
  /** Fails the run for what no test can fail for. */
  fails?: boolean
}

type Told = string | string[] | undefined

/** What belongs to no test is in no cassette, and replay refuses it. */
const UNRECORDED: Part = { label: 'Unrecorded', tell: unrecordedOfRun, fails: true }

/** In the order in which they are printed. */
const PARTS: readonly Part[] = [
  { tell: tellSaid },
  { tell: tellInterrupted },
  { label: 'Keys', tell: tellMissingKeys },
  UNRECORDED,
  { label: 'No set-up', tell: explainWithoutSetUp, fails: true },
  { label: 'MCP', tell: tellServers },
  // Calls in a tunnel are neither recorded nor replayed. Mocks that answered calls of a recording, and servers that may be
  // models of this machine, can be meant to stay. What replay will refuse can still be recorded. Nothing fails for these.
  { label: 'Tunnels', tell: tellSeen('tunnels', 'explainTunnels') },
  { label: 'Unrecorded', tell: tellSeen('foreign', 'explainForeign') },
  { label: 'Unrecorded', tell: tellSeen('local', 'explainLocal') },
  { label: 'Network', tell: tellSeen('out', 'explainOutside') },
  { label: 'Recorded', tell: tellNothing },
  { label: 'Overwritten', tell: tellOverwritten, fails: true },
  { label: 'Hashes', tell: recountHashes, fails: true },
  { tell: tellCounts },
  { label: 'Accept', tell: acceptAfterUpdate },
  { tell: countAttempts },
  { tell: tellOrphans },
  { tell: tellToPrograms },
]

/** Prints what a run did with cassettes, behind Vitest's own summary. */
export class SummaryReporter implements Reporter {
  readonly #folders: Map<string, CassetteFolderOfRun> = new Map()
  readonly #pruneRun?: string
  #isCounted = false
  #vitest?: Vitest

  constructor() {
    const { run } = readEnvironment(process.env)
    if (run?.by !== 'prune') return
    this.#pruneRun = run.folder
    // A Vitest that tests start must not report to `prune`.
    delete process.env[STARTED_RUN]
  }

  /** Adds a project. */
  add(root: string, config: ResolvedConfig): void {
    // The verdict on what was just imported says nothing about how a recording does.
    this.#isCounted = !hasStandIns(config.run) && config.run?.by !== 'import'
    if (config.mode === 'off') return
    const path = resolve(root, config.dir)
    const known = this.#folders.get(path)
    if (known) known.roots.add(root)
    else this.#folders.set(path, { root, roots: new Set([root]), config })
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    // Global set-ups and other reporters can ask when the run has ended.
    process.once('exit', () => this.#print(UNRECORDED, unrecordedOfRun()))
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[] = [],
    reason?: string,
  ): Promise<void> {
    const vitest = this.#vitest!
    const asked = modules.flatMap(countsOf)
    const run: EndedRun = {
      vitest,
      modules,
      seen: modules.flatMap((module) => module.meta().seenServers ?? []),
      passed: reason === 'passed' && errors.length === 0,
      errors,
      asked,
      isAsked: asked.some(({ meta }) => asksOrIsAsked(meta)),
      isCounted: this.#isCounted,
      folders: this.#folders,
      pruneRun: this.#pruneRun,
      paint: pc.createColors(hasColors()),
    }
    for (const part of PARTS) this.#print(part, await part.tell(run))
  }

  /** To standard error: with some reporters, standard output is data. */
  #print({ label, fails }: Part, told: Told = []): void {
    for (const text of [told].flat()) {
      this.#vitest?.logger.error(label === undefined ? text : warningOf(label, text))
      if (fails) process.exitCode = 1
    }
  }
}

function warningOf(label: string, text: string): string {
  const paint = pc.createColors(hasColors())
  const [first = '', ...lines] = printable(text).split('\n')
  return summaryRows(label, [paint.yellow(first), ...lines], paint)
}

function countsOf(module: TestModule): EndedRun['asked'] {
  const { name: project } = module.project
  return endedTestsOf(module).flatMap(({ meta: { cassette: meta } }) =>
    meta ? { project, meta } : [],
  )
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

/** What workers have to say, each text once: a suite can forbid its tests to print. */
function tellSaid({ modules }: EndedRun): Told {
  return [...new Set(modules.flatMap((module) => module.meta().said ?? []))]
}

/** A worker that was killed could not tell this itself. */
async function tellInterrupted({ vitest, modules, paint }: EndedRun): Promise<Told> {
  const roots = new Set(vitest.projects.map(({ config }) => config.root))
  const used = [...roots].filter(hasJournals)
  if (used.length === 0) return undefined
  const { countInterrupted } = await import('./at-run-end.ts')
  const ran = new Set(modules.map(pathOfModule))
  const counts = used.map((root) =>
    countInterrupted(root, (id) => {
      const [file = ''] = id.split(' > ')
      // The recordings of other files are no business of this run, as long as these files are there.
      return ran.has(file) || !existsSync(join(root, file))
    }),
  )
  const count = counts.reduce((sum, one) => sum + one)
  if (count === 0) return undefined
  const recordings = `${countOf(count, 'recording')} without a cassette: a run was killed, could not write, or did not wait for the answer`
  const wayOut = `To use the answers they paid for: ${paint.bold('npx vitest-cassette recover')}`
  return summaryRows('Interrupted', [paint.yellow(recordings), wayOut], paint)
}

/** The error of an SDK without a key does not mention recording, and may come before the first test. */
function tellMissingKeys({ modules }: EndedRun): Told {
  const errors = modules
    .filter(isRecording)
    .flatMap(endedTestsOf)
    .flatMap((test) => test.errors)
  return explainMissingKeys(
    errors.map(({ message }) => message),
    process.env,
  )
}

/** No test fails for a server that a misspelt name in the option leaves real. */
function tellServers({ modules, seen }: EndedRun): Told {
  const names = modules.flatMap((module) => configOfModule(module)?.mcp ?? [])
  return renderServers(names, seen)
}

/** Tells what test files have noted of one kind, by a function of `at-run-end.ts`. */
function tellSeen(
  kind: 'tunnels' | 'foreign' | 'local' | 'out',
  explain: 'explainTunnels' | 'explainForeign' | 'explainLocal' | 'explainOutside',
): Part['tell'] {
  return async ({ seen }) => {
    const noted = seen.flatMap((one) => one[kind] as never[])
    return noted.length > 0 ? (await import('./at-run-end.ts'))[explain](noted) : undefined
  }
}

/** Whoever presses `u` means to accept. */
async function acceptAfterUpdate(run: EndedRun): Promise<Told> {
  if (!run.isAsked || run.vitest.snapshot.options.updateSnapshot !== 'all') return undefined
  return (await import('./at-run-end.ts')).tellAccepting(run)
}

/** People at a terminal have the failure; CI has `verify` and `diff`. */
async function tellToPrograms(run: EndedRun): Promise<Told> {
  const { ci } = readEnvironment(process.env)
  const tellsPrograms = isOn(process.env.VITEST_CASSETTE_JSON)
  const isRead = process.stdout.isTTY || process.stderr.isTTY || ci
  if (run.passed || (isRead && !tellsPrograms)) return undefined
  if (!hasOurErrors(run)) return undefined
  return (await import('./at-run-end.ts')).tellPrograms(run, tellsPrograms)
}

/** Whether a test, or the run itself, failed by this package. */
function hasOurErrors({ errors, modules }: EndedRun): boolean {
  const ofTests = modules.flatMap(endedTestsOf).flatMap((one) => [...one.errors])
  return [...errors, ...ofTests].some(isOurs)
}

/** A recording that was asked nothing would end without a word. */
async function tellNothing(run: EndedRun): Promise<Told> {
  const { modules, seen, isAsked } = run
  // A key that is missing is reason enough.
  if (tellMissingKeys(run) !== undefined) return undefined
  if (isAsked || seen.some(({ foreign, local }) => foreign.length + local.length > 0))
    return undefined
  const tests = modules.filter(isRecording).flatMap((module) => [...module.children.allTests()])
  const ran = tests.filter((test) => test.result().state !== 'skipped')
  // A call that failed did come: to a provider that cannot be reached, or when its test had ended.
  if (ran.length === 0 || hasOurErrors(run)) return undefined
  const { explainNothing, hasAnyKey } = await import('./at-run-end.ts')
  const envs = [process.env, ...modules.map(({ project }) => project.config.env ?? {})]
  return explainNothing(ran.length, envs.some(hasAnyKey))
}

async function tellOverwritten({ asked, isAsked }: EndedRun): Promise<Told> {
  return isAsked ? (await import('./at-replay-end.ts')).renderOverwritten(asked) : undefined
}

/** Replay trusts the hashes of a sealed file. On CI, where nobody would look at the file, they are counted anew. */
async function recountHashes(run: EndedRun): Promise<Told> {
  if (!run.isAsked || !readEnvironment(process.env).ci) return undefined
  return (await import('./at-run-end.ts')).tellWrongHashes(run)
}

async function tellCounts({ vitest, asked, isAsked, paint }: EndedRun): Promise<Told> {
  if (!isAsked) return undefined
  const { renderSummary } = await import('./at-replay-end.ts')
  return renderSummary(
    asked.map(({ meta }) => meta),
    paint,
    vitest.config.watch,
  )
}

/** Whether a file belongs to a project that records. */
function isRecording(module: TestModule): boolean {
  return recordsAnswers(configOfModule(module)?.mode)
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
  if (readEnvironment(env).run)
    return `${wanted}\nThis command reads the .env files beside the config of that project as well.`
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
function explainWithoutSetUp({ modules }: EndedRun): string | undefined {
  const live = modules.filter(
    (module) => !module.meta().isSetUp && hasRun(module) && configOfModule(module)?.mode !== 'off',
  )
  if (live.length === 0) return undefined
  const [their, them, they] =
    live.length === 1 ? ['its', 'it', 'it is'] : ['their', 'them', 'they are']
  return [
    `${countOf(live.length, 'file')} ran without the set-up of vitest-cassette, so ${their} calls were neither recorded nor replayed:`,
    ...live.map((module) => {
      const { name, config } = module.project
      const pool = `pool ${config.poolRunner?.name ?? config.pool}`
      return `  ${pathOfModule(module)} (${name ? `project ${name}, ${pool}` : pool})`
    }),
    'A pool of its own, a runner, or another plugin left the set-up file out. Run them in the pool forks, threads,',
    'vmThreads or vmForks, with the setupFiles that the plugin sets.',
    `If ${they} meant to be live, give ${them} a project whose config has plugins: [cassettes({ mode: 'off' })].`,
  ].join('\n')
}

function hasRun({ task, children }: TestModule & { task?: Typed }): boolean {
  if (task?.meta.typecheck) return false
  return Array.from(children.allTests()).some((test) => {
    const { state } = test.result()
    return state === 'passed' || state === 'failed'
  })
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
