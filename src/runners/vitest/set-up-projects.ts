import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestProject, Vite, Vitest } from 'vitest/node'
import { hasColors } from '../../config/has-colors.ts'
import { readEnvironment } from '../../config/environment.ts'
import type { CassetteOptions } from '../../config/options.ts'
import { appendLine } from '../../attempt/run-channel.ts'
import { resolveConfig, type ResolvedConfig } from '../../config/resolved-config.ts'
import { countOf } from '../../text/count-of.ts'
import { escapePattern } from '../../text/escape-pattern.ts'
import { printable } from '../../text/printable.ts'
import { CassetteError, withFrames } from '../../errors.ts'
import { guardRun, hostsOfRun, refuseWaited } from '../../transports/guard-run.ts'
import { shared } from '../../real/shared.ts'
import { packConfig } from './provide-config.ts'
import { benchmarkOnce, isBenchmark, optionsOfBenchmark } from './benchmarks.ts'
import { BENCH, programOf } from './reporters/other-command.ts'
import { configChosen, fromHere } from './reporters/run-options.ts'
import { SharedCauseReporter } from './reporters/shared-cause-reporter.ts'
import { SummaryReporter } from './reporters/summary-reporter.ts'
import { runWatchers, type ProjectReporter } from '../run-watchers.ts'
import { setUpFileOfPages } from './versions/run.ts'
import { hasProjects } from './versions/several-projects.ts'
import { leadPool, runsInWorkerd } from './workers/lead-pool.ts'
import { warnOfWatching, watchCassettes } from './watch-mode.ts'
import { join } from '../../real/path.ts'
import { COMPILED_FOLDER } from '../../config/paths.ts'
import { existsSync } from '../../real/files.ts'
import { hideInReports } from './hide-in-reports.ts'
import { withSamples } from './setup/samples-of-run.ts'

/** The name of every copy of the plugin in a config. */
export const PLUGIN = 'vitest-cassette'

/** The set-up file of tests in Node. JavaScript, since Node loads it where a config leaves nothing to Vite. */
const SETUP_FILE = fileURLToPath(new URL('./setup-plugin.mjs', import.meta.url))

/** The set-up file for projects whose tests run in workerd. */
const WORKER_SETUP_FILE = fileURLToPath(new URL('./setup-worker.mjs', import.meta.url))

const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url)).replaceAll('\\', '/')

/** The set-up file: Vite resolves what it imports, its own `vitest`, also where this package is linked. */
const OWN_SETUP = new RegExp(`${escapePattern(OWN_FOLDER)}setup-plugin\\.mjs$`)

/** Our other built modules. */
const OWN_MODULES = new RegExp(`${escapePattern(OWN_FOLDER)}(?!setup-plugin).*\\.mjs$`)

/** Everything but our modules, for configs that leave all to Vite. */
const ALL_OTHERS = new RegExp(`^(?!${escapePattern(OWN_FOLDER)})`)

/**
 * What Vite loads of this package, and what Node loads: of a linked package, Vite would make a second copy. Takes our
 * modules out of a config that leaves all to Vite, since Vitest asks first what Vite is to load.
 */
export function ownDeps({ test, ssr }: Vite.UserConfig): { inline: RegExp[]; external: RegExp[] } {
  const deps = test?.server?.deps
  const isAllInlined = deps?.inline === true || (!deps?.inline && ssr?.noExternal === true)
  if (deps && isAllInlined) delete deps.inline
  return { inline: isAllInlined ? [ALL_OTHERS, OWN_SETUP] : [OWN_SETUP], external: [OWN_MODULES] }
}

/** The projects and reporters of a run, shared by all copies of this package. */
interface Covered {
  projects: WeakSet<TestProject>
  /** Our reporters that get the projects of a run, by the list of all its reporters. */
  reporters: WeakMap<object, readonly ProjectReporter[]>
  /** Those that have to come before the reporters that print failures. */
  changing: WeakSet<Reporter>
}

const covered = shared<Covered>('covered', () => ({
  projects: new WeakSet(),
  reporters: new WeakMap(),
  changing: new WeakSet(),
}))

/** The configurations of a run by project; a restart of watch mode replaces them. */
const configs = shared<Map<string, ResolvedConfig>>('run-configs', () => new Map())

/** The origin at which programs are refused for which their test waits. */
const waiting = shared<{ origin?: string }>('waited', () => ({}))

/** Further projects are only counted. */
const MAX_SHOWN = 20

/** The key in `configs` for projects that are not known yet. */
const ROOT = '\0root'

/**
 * The config of a project. Tells the command that started the run why it is refused.
 *
 * @throws CassetteError as {@link resolveConfig} does, in words alone: its frames are those of Vitest and of this package
 */
function configOfRun(options: CassetteOptions): ResolvedConfig {
  const environment = readEnvironment(process.env)
  try {
    return resolveConfig(withSamples(options, process.env), environment)
  } catch (error) {
    if (!CassetteError.isInstance(error)) throw error
    const { run } = environment
    // The command has looked at its own environment before it started the run.
    const isOfConfig = run?.by === 'record' && error.code === 'recording-refused'
    const refused = isOfConfig ? setByConfig() : error
    if (run) appendLine(run.folder, { kind: 'refused-start', why: refused.message })
    for (const name of ['code', 'isCassetteError'])
      Object.defineProperty(refused, name, { enumerable: false })
    throw withFrames(refused, [])
  }
}

function setByConfig(): CassetteError {
  return new CassetteError(
    'recording-refused',
    'Recording is refused because your Vitest config, or a file that it loads, sets CI.\n' +
      'Set CI in the environment of your CI alone. To record in spite of it, set RECORD_IN_CI=1.',
  )
}

/** Guards the process of a run of several projects before any of them is set up. */
export function guardBeforeProjects(options: CassetteOptions): void {
  configs.set(ROOT, configOfRun(options))
  guardRun(configs)
}

/** Sets a project up with the options of the plugin that stands last in its config. */
export function setUpProject(project: TestProject, vitest: Vitest, plugin: Vite.Plugin): void {
  if (pluginOf(project) === plugin) setUp(project, vitest, optionsOf(plugin))
}

/** Sets up the rest if no project has a plugin that Vitest calls. Adds our reporters to those that Vitest has made. */
export function setUpRun(vitest: Vitest): void {
  const { reporters } = vitest.config
  const known = new Set(reporters)
  setUpProjectsWithoutPlugin(vitest)
  const made = (vitest as unknown as { reporters: Reporter[] }).reporters
  const added = reporters.filter((one) => !known.has(one)) as Reporter[]
  let first = 0
  for (const reporter of added) {
    made.splice(changesFailures(reporter) ? first++ : made.length, 0, reporter)
    reporter.onInit?.(vitest)
  }
}

/**
 * Sets up the projects that have no plugin of their own with the plugin of the root config.
 *
 * @throws CassetteError `invalid-option` if the root config has none: the options of those projects are unknown.
 */
export function setUpProjectsWithoutPlugin(vitest: Vitest): void {
  const ofRoot = vitest.vite.config.plugins.findLast(isOurs)
  const others = vitest.projects.filter(
    (project) => !covered.projects.has(project) && !pluginOf(project),
  )
  if (ofRoot) for (const project of others) coverByRoot(project, vitest, optionsOf(ofRoot))
  const missing = others.filter(
    (project) => !covered.projects.has(project) && !setsItselfUp(project),
  )
  configs.delete(ROOT)
  if (!ofRoot && missing.length > 0) throw uncovered(missing, vitest)
}

function coverByRoot(project: TestProject, vitest: Vitest, options: CassetteOptions): void {
  if (!project.config.browser.enabled) {
    // The plugin sets this in a config, and this config has no plugin.
    const { deps } = (project.config.server ??= {} as typeof project.config.server)
    const { inline, external } = ownDeps({ test: project.config as object })
    if (Array.isArray(deps?.external)) deps.external.push(...external)
    if (deps) deps.inline = [...(Array.isArray(deps.inline) ? deps.inline : []), ...inline]
    return setUp(project, vitest, options)
  }
  covered.projects.add(project)
  vitest.logger.error(
    `[vitest-cassette] The project ${printable(project.name)} runs in a browser, and its config lacks the plugin: requests of its tests there are neither recorded nor replayed. Add cassettes() to its own plugins.`,
  )
}

function setUp(project: TestProject, vitest: Vitest, options: CassetteOptions): void {
  if (covered.projects.has(project)) return
  covered.projects.add(project)
  hideInReports(vitest)
  const benchmark = isBenchmark(project, vitest)
  const own = benchmark ? optionsOfBenchmark(options) : options
  const config = configOfRun(own)
  if (benchmark) benchmarkOnce(project, vitest, config)
  configs.set(project.name, config)
  guardRun(configs)
  warnOfWatching(vitest, config.mode)
  watchCassettes(project, vitest, config)
  // Vite reads files for jsdom and happy-dom as for a page: this package can be installed above what it may serve.
  project.vite.config.server.fs.allow.push(OWN_FOLDER)
  const isBrowser = project.config.browser.enabled
  const isWorkerd = runsInWorkerd(project)
  if (isWorkerd && config.mode !== 'off') leadPool(project)
  const pageSetUp = isBrowser ? setUpFileOfPages(project, vitest, config.mode) : undefined
  const isOneOfMany = hasProjects(vitest.vite.config, vitest.version)
  const folder = fromHere(project.config.root)
  const run = configChosen(vitest)
  const other = benchmark ? BENCH : programOf(vitest)
  const isKept = config.compileCache && config.mode !== 'off' && !isBrowser && !isWorkerd
  const compiled = isKept ? keepCompiled(project, vitest) : undefined
  const waited = (waiting.origin ??= refuseWaited(() => hostsOfRun(configs)))
  const provided = packConfig({
    config,
    ...(waited === undefined ? {} : { waited }),
    ...(compiled === undefined ? {} : { compiled }),
    color: hasColors(),
    ...(other ? { other } : {}),
    ...(isOneOfMany ? { project: project.name } : {}),
    ...(folder === '' ? {} : { folder }),
    ...(run.length > 0 ? { run } : {}),
  })
  project.provide('vitest-cassette', provided)
  // First, so that its hooks enclose those of every other set-up file.
  const setUpInNode = isWorkerd ? WORKER_SETUP_FILE : SETUP_FILE
  project.config.setupFiles.unshift(pageSetUp ?? setUpInNode)
  for (const reporter of reportersOf(vitest, config)) reporter.add(project.config.root, config)
}

/** Adds our reporters to the run once, whichever instance of the plugin comes first. */
function reportersOf(vitest: Vitest, config: ResolvedConfig): readonly ProjectReporter[] {
  const { reporters } = vitest.config
  const known = covered.reporters.get(reporters)
  if (known) return known
  const summary = new SummaryReporter()
  const ofTools = runWatchers.flatMap(({ watch, changesFailures = false }) => {
    const reporter = watch(config)
    return reporter ? [{ reporter, changesFailures }] : []
  })
  const first = ofTools.filter((one) => one.changesFailures).map(({ reporter }) => reporter)
  const last = ofTools.filter((one) => !one.changesFailures).map(({ reporter }) => reporter)
  const changing = [new SharedCauseReporter(), ...first]
  for (const one of changing) covered.changing.add(one)
  reporters.unshift(...changing)
  reporters.push(summary, ...last)
  const all = [summary, ...first, ...last]
  covered.reporters.set(reporters, all)
  return all
}

/** Whether a reporter has to come before those that print failures. */
function changesFailures(reporter: Reporter): boolean {
  return covered.changing.has(reporter)
}

function pluginOf(project: TestProject): Vite.Plugin | undefined {
  return project.vite.config.plugins.findLast(isOurs)
}

function isOurs({ name }: Vite.Plugin): boolean {
  return name === PLUGIN
}

function optionsOf(plugin: Vite.Plugin): CassetteOptions {
  return (plugin.api as { options?: CassetteOptions } | undefined)?.options ?? {}
}

/** Whether a set-up file of a project is ours, or names this package. */
function setsItselfUp({ config }: TestProject): boolean {
  return config.setupFiles.some((file) => {
    try {
      return file.includes('vitest-cassette') || /vitest-cassette/.test(readFileSync(file, 'utf8'))
    } catch {
      return false
    }
  })
}

/** The error that refuses a run of which some projects would be live. */
function uncovered(missing: readonly TestProject[], vitest: Vitest): CassetteError {
  const { configFile, root } = vitest.vite.config
  const names = missing.map(
    ({ name, config }) => `  ${printable(name)}  ${relative(root, config.root) || '.'}`,
  )
  const error = new CassetteError(
    'invalid-option',
    `${countOf(missing.length, 'project')} of this run would ask the providers themselves, without cassettes:\n` +
      `${names.slice(0, MAX_SHOWN).join('\n')}\n` +
      (names.length > MAX_SHOWN ? `  and ${names.length - MAX_SHOWN} more\n` : '') +
      `Add the plugin to ${configFile ? relative(process.cwd(), configFile) : 'the root config'}, which then covers every project:\n` +
      "  import { cassettes } from 'vitest-cassette/plugin'\n" +
      '  plugins: [cassettes()],\n' +
      "A project that is meant to be live says so in its own config: plugins: [cassettes({ mode: 'off' })].",
  )
  // The stack has frames of Vitest alone.
  return withFrames(error, [])
}

/** The variables by which users decide themselves. By the last one a tool measures coverage from outside. */
const OF_USER = ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE']

/**
 * Lets Node keep the compiled code of what the workers of a project load, most of which is Vitest itself. Node checks
 * each entry by its version and by the source, and compiles anew where the folder cannot be used. Returns the folder;
 * `undefined` where nothing is kept.
 */
function keepCompiled(project: TestProject, vitest: Vitest): string | undefined {
  const env = { ...process.env, ...vitest.config.env, ...project.config.env }
  // V8 counts less exactly in code that it has not compiled itself.
  const { enabled, provider } = vitest.config.coverage
  const isCounted = enabled && provider !== 'istanbul'
  const { root } = vitest.config
  if (
    OF_USER.some((name) => env[name] !== undefined) ||
    isCounted ||
    !existsSync(join(root, 'node_modules'))
  )
    return undefined
  const folder = join(root, COMPILED_FOLDER)
  project.config.env = { ...project.config.env, NODE_COMPILE_CACHE: folder }
  return folder
}
