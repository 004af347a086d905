import type { BrowserContext } from '@playwright/test'
import type { TestProject } from 'vitest/node'
import { Attempt } from '../../../attempt/attempt.ts'
import { countAttempt } from '../../../attempt/count-requests.ts'
import { loadExplain } from '../../../attempt/load-explain.ts'
import { pathFrom } from '../../../config/paths.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { CassetteError } from '../../../errors.ts'
import type { ReportedFailure } from '../../../explain/failure.ts'
import { realTime } from '../../../real/clock.ts'
import { Gateway } from '../../../transports/gateway.ts'
import { hostOn, layers } from '../../../transports/layers.ts'
import { endRequests } from '../../../transports/open-requests.ts'
import { routePages, type Running } from '../../../transports/route-page.ts'
import { providedTo } from '../provide-config.ts'
import { setProject } from '../setup/current-project.ts'
import { LateReport } from '../setup/late-report.ts'
import { waitForLateRequests } from '../setup/late-requests.ts'
import { TestOwner } from '../setup/test-owner.ts'
import type { ProvidedConfig } from '../setup/vitest-hooks.ts'
import {
  OUTSIDE,
  type PageOutcome,
  type PageTest,
  type PageVerdict,
  SEVERAL,
  type Why,
  type WorkerName,
} from './page-commands.ts'

/** A test that runs in a page, or its file. */
interface Open {
  attempt: Attempt
  owner: TestOwner
  provided: ProvidedConfig
  /** What runs it, as far as that shows what it does not redirect by itself. */
  context: object | undefined
  /** Set for the file alone, which fails for requests that its tests did not await. */
  late?: LateReport
}

/** The open tests and files, by base address. */
const open = new Map<string, Open>()
const files = new Map<string, { late: LateReport; bases: string[] }>()
let gateway: Gateway | undefined

/** What is watched in the pages of one context of a browser, or in workerd, which run one file at a time. */
interface Watched {
  /** Whether the calls of all that it runs are seen. */
  isGuarded: Promise<boolean>
  /** Why a request was refused that came while a file was imported. */
  early?: CassetteError
}

const contexts = new WeakMap<object, Watched>()

/**
 * Answers the calls in a context that its pages do not redirect by themselves: of workers, frames of other origins, and
 * clients without a script. Resolves to the kinds of workers that it does not see. All providers of a browser but
 * Playwright show no requests.
 *
 * @throws CassetteError `refused` where no port can be opened
 */
export async function watchInPages(
  project: TestProject,
  context: BrowserContext | undefined,
): Promise<WorkerName[]> {
  if (!context) return ['Worker', 'SharedWorker']
  const { host } = new URL((await openGateway()).origin!)
  const { config } = providedTo(project)!
  let watched = contexts.get(context)
  if (!watched) {
    contexts.set(context, (watched = { isGuarded: Promise.resolve(false) }))
    watched.isGuarded = routePages(context, () =>
      runningIn(context, config, host, { outside: OUTSIDE, several: SEVERAL }),
    )
  }
  return (await watched.isGuarded) ? [] : ['SharedWorker']
}

/**
 * The test to which the calls belong that a runner does not redirect by itself.
 *
 * @param why why a request is refused that no test, or more than one, may have made
 * @throws CassetteError `refused` where no port can be opened
 */
export async function runningAt(
  runner: object,
  ofFile: ResolvedConfig,
  why: Why,
): Promise<Running> {
  const { host } = new URL((await openGateway()).origin!)
  if (!contexts.has(runner)) contexts.set(runner, { isGuarded: Promise.resolve(true) })
  return runningIn(runner, ofFile, host, why)
}

/** @param gateway the host of the gateway, to which pages redirect the calls that they know of */
function runningIn(
  context: object,
  ofFile: ResolvedConfig,
  gateway: string,
  { outside, several }: Why,
): Running {
  const here = [...open].filter(([, one]) => one.context === context)
  const tests = here.filter(([, { late }]) => !late)
  const [running, ...others] = tests.length > 0 ? tests : here
  const [base = '', { attempt: { config } } = { attempt: { config: ofFile } }] = running ?? []
  const fail = (error: CassetteError): void => {
    for (const [, { attempt }] of tests) attempt.reject(error)
    if (!running) contexts.get(context)!.early = error
    else if (tests.length === 0) running[1].attempt.reject(error)
  }
  const problem = !running ? outside : others.length > 0 ? several : undefined
  return {
    attempt: { config: { ...config, allowHosts: [...config.allowHosts, gateway] }, reject: fail },
    base,
    refuse: problem === undefined ? undefined : () => fail(new CassetteError('refused', problem)),
  }
}

/** Whether the gateway answers at an address. */
export function isAtGateway(url: string): boolean {
  return gateway?.origin !== undefined && url.startsWith(`${gateway.origin}/`)
}

async function openGateway(): Promise<Gateway> {
  gateway ??= new Gateway({ layers, isBackground: true })
  await gateway.ready
  return gateway
}

/**
 * Opens the cassette of a test that runs in a page or in workerd, in the process of Vitest.
 *
 * @throws CassetteError `refused` where no port can be opened
 */
export async function openInPage(
  project: TestProject,
  { filepath, titles, ordinal, sample }: PageTest,
  context: object | undefined,
): Promise<string> {
  const provided = providedTo(project)!
  const { config, color } = provided
  const { root } = project.config
  const server = await openGateway()
  setProject(provided)
  const place = { file: pathFrom(root, filepath), titles, ordinal, sample }
  const isFile = titles.length === 0
  const name = `${project.name} ${filepath}`
  if (isFile) openFile(name, new LateReport(place.file, color))
  const { late, bases } = files.get(name)!
  const owner = new TestOwner(place, root, late)
  const attempt = new Attempt(owner, config, hostOn(layers), owner.isLeftOut(config))
  const base = server.admit(attempt)
  bases.push(base)
  open.set(base, { attempt, owner, provided, context, late: isFile ? late : undefined })
  const watched = context && contexts.get(context)
  if (watched?.early) attempt.reject(watched.early)
  delete watched?.early
  return base
}

/** Begins a file, and dismisses the addresses of its earlier run, which answered late requests until now. */
function openFile(name: string, late: LateReport): void {
  for (const base of files.get(name)?.bases ?? []) gateway!.dismiss(base)
  files.set(name, { late, bases: [] })
}

/** Judges the attempt, and writes its cassette. */
export async function closeInPage(base: string, outcome: PageOutcome): Promise<PageVerdict> {
  const { attempt, owner, provided, late } = open.get(base)!
  open.delete(base)
  setProject(provided)
  await endRequests(attempt)
  if (outcome.refused !== undefined) attempt.reject(new CassetteError('refused', outcome.refused))
  const { failures, meta } = await closeAttempt(attempt, owner, provided, outcome)
  if (!late) {
    const hasFailed = meta && (failures.length > 0 || !outcome.passed)
    const conversation = hasFailed ? loadExplain().tellConversations(attempt.session) : undefined
    return { failures, meta, conversation }
  }
  await waitForLateRequests()
  const missed = await late.end()
  return { failures: [...failures, ...missed.map(withoutCallSite)], meta }
}

async function closeAttempt(
  attempt: Attempt,
  owner: TestOwner,
  { config, color }: ProvidedConfig,
  { passed, partial, isTriedAgain }: PageOutcome,
): Promise<PageVerdict> {
  if (!attempt.wasAsked && passed && !owner.hasCassette(config)) {
    attempt.abandon()
    return { failures: [] }
  }
  const ended = await attempt.close({
    passed,
    partial,
    isTriedAgain,
    now: realTime(),
    color,
  })
  const { failure } = ended
  const meta = countAttempt(attempt, passed, ended)
  return { failures: failure ? [withoutCallSite(failure)] : [], meta }
}

/** Drops the call site: it is in this process, not in the page. */
function withoutCallSite({ code, headline, details }: ReportedFailure): ReportedFailure {
  return { code, headline, details }
}
