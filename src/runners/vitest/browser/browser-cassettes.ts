import type { BrowserContext } from '@playwright/test'
import type { TestProject } from 'vitest/node'
import { pathFrom } from '../../../config/paths.ts'
import { CassetteError } from '../../../errors.ts'
import type { Failure } from '../../../explain/judge-attempt.ts'
import { Gateway } from '../../../transports/gateway.ts'
import { Attempt } from '../../../attempt/attempt.ts'
import { realTime } from '../../../real/clock.ts'
import { hostOn, layers } from '../../../transports/layers.ts'
import { endRequests } from '../../../transports/open-requests.ts'
import { setProject } from '../setup/current-project.ts'
import { LateReport } from '../setup/late-report.ts'
import type { ProvidedConfig } from '../setup/vitest-hooks.ts'
import { TestOwner } from '../setup/test-owner.ts'
import { beginIn, endIn, watchPages } from './watch-pages.ts'
import type { PageOutcome, PageTest, PageVerdict, WorkerName } from './page-commands.ts'

/** A test that runs in a page, or its file. */
interface Open {
  attempt: Attempt
  owner: TestOwner
  provided: ProvidedConfig
  /** Set for the file alone, which fails for requests that its tests did not await. */
  late?: LateReport
}

/** The open tests and files, by base address. */
const open = new Map<string, Open>()
const files = new Map<string, { late: LateReport; bases: string[] }>()
let gateway: Gateway | undefined

/**
 * Watches what the pages of a context ask beside their own scripts. Resolves to false where the provider of the browser
 * is not Playwright: the others show no requests.
 *
 * @throws CassetteError `refused` where no port can be opened
 */
export async function watchInPages(
  project: TestProject,
  context: BrowserContext | undefined,
): Promise<WorkerName[]> {
  if (!context) return ['Worker', 'SharedWorker']
  const { host } = new URL((await openGateway()).origin!)
  const { config } = project.getProvidedContext()['vitest-cassette']!
  return (await watchPages(context, config, host)) ? [] : ['SharedWorker']
}

async function openGateway(): Promise<Gateway> {
  gateway ??= new Gateway({ layers, isBackground: true })
  await gateway.ready
  return gateway
}

/**
 * Opens the cassette of a test that runs in a page, in the process of Vitest.
 *
 * @throws CassetteError `refused` where no port can be opened
 */
export async function openInPage(
  project: TestProject,
  { filepath, titles, ordinal }: PageTest,
  context: BrowserContext | undefined,
): Promise<string> {
  const provided = project.getProvidedContext()['vitest-cassette']!
  const { config, color } = provided
  const { root } = project.config
  const server = await openGateway()
  setProject(provided)
  const place = { file: pathFrom(root, filepath), titles, ordinal }
  const isFile = titles.length === 0
  const name = `${project.name} ${filepath}`
  if (isFile) openFile(name, new LateReport(place.file, color))
  const { late, bases } = files.get(name)!
  const owner = new TestOwner(place, root, late)
  const attempt = new Attempt(owner, config, hostOn(layers), owner.isLeftOut(config))
  const base = server.admit(attempt)
  bases.push(base)
  open.set(base, { attempt, owner, provided, ...(isFile ? { late } : {}) })
  beginIn(context, { attempt, base, isFile })
  return base
}

/** Begins a file, and dismisses the addresses of its earlier run, which answered late requests until now. */
function openFile(name: string, late: LateReport): void {
  for (const base of files.get(name)?.bases ?? []) gateway!.dismiss(base)
  files.set(name, { late, bases: [] })
}

/** Judges the attempt, and writes its cassette. */
export async function closeInPage(
  base: string,
  outcome: PageOutcome,
  context: BrowserContext | undefined,
): Promise<PageVerdict> {
  endIn(context, base)
  const { attempt, owner, provided, late } = open.get(base)!
  open.delete(base)
  setProject(provided)
  await endRequests(attempt)
  if (outcome.refused !== undefined) attempt.reject(new CassetteError('refused', outcome.refused))
  const { failures, meta } = await closeAttempt(attempt, owner, provided, outcome)
  if (!late) return { failures, meta }
  await late.waitForRequests()
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
  const { failure, verdict } = await attempt.close({
    passed,
    partial,
    isTriedAgain,
    now: realTime(),
    color,
  })
  const meta = layers.replay().countRequests(attempt.session, passed, verdict)
  return { failures: failure ? [withoutCallSite(failure)] : [], meta }
}

/** Drops the call site: it is in this process, not in the page. */
function withoutCallSite({
  code,
  headline,
  details,
  pictures,
}: Failure): PageVerdict['failures'][0] {
  return { code, headline, details, pictures }
}
