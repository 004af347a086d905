import type { BrowserContext } from '@playwright/test'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { CassetteError } from '../../../errors.ts'
import { routePages, type Running } from '../../../transports/route-page.ts'
import type { Attempt } from '../../../attempt/attempt.ts'
import { OUTSIDE, SEVERAL } from './page-commands.ts'

/** A test that runs in a page, or its file. */
interface Open {
  attempt: Attempt
  base: string
  isFile: boolean
}

/** What runs in the pages of one context of a browser, which runs one file at a time. */
interface Watched {
  open: Open[]
  /** Whether the calls of all that it runs are seen. */
  isGuarded: Promise<boolean>
  /** Why a request was refused that came while a file was imported. */
  early?: CassetteError
}

const contexts = new WeakMap<BrowserContext, Watched>()

/**
 * Answers the calls in a context that its pages do not redirect by themselves: of workers, frames of other origins, and
 * clients without a script. Resolves to whether it sees them all.
 *
 * @param gateway the host of the gateway, to which pages redirect the others
 */
export async function watchPages(
  context: BrowserContext,
  ofFile: ResolvedConfig,
  gateway: string,
): Promise<boolean> {
  const known = contexts.get(context)
  if (known) return known.isGuarded
  const watched: Watched = { open: [], isGuarded: Promise.resolve(false) }
  contexts.set(context, watched)
  watched.isGuarded = routePages(context, () => runningIn(watched, ofFile, gateway))
  return watched.isGuarded
}

function runningIn(watched: Watched, ofFile: ResolvedConfig, gateway: string): Running {
  const tests = watched.open.filter(({ isFile }) => !isFile)
  const [running, ...others] = tests.length > 0 ? tests : watched.open
  const { config } = running?.attempt ?? { config: ofFile }
  const fail = (error: CassetteError): void => {
    for (const { attempt } of tests) attempt.reject(error)
    if (!running) watched.early = error
    else if (tests.length === 0) running.attempt.reject(error)
  }
  const problem = running ? (others.length > 0 ? SEVERAL : undefined) : OUTSIDE
  return {
    attempt: { config: { ...config, allowHosts: [...config.allowHosts, gateway] }, reject: fail },
    base: running?.base ?? '',
    ...(problem === undefined ? {} : { refuse: () => fail(new CassetteError('refused', problem)) }),
  }
}

/** A test, or its file, begins in a context. */
export function beginIn(context: BrowserContext | undefined, begun: Open): void {
  const watched = context && contexts.get(context)
  if (!watched) return
  watched.open.push(begun)
  if (watched.early) begun.attempt.reject(watched.early)
  delete watched.early
}

/** A test, or its file, has ended in a context. */
export function endIn(context: BrowserContext | undefined, base: string): void {
  const watched = context && contexts.get(context)
  if (watched) watched.open = watched.open.filter((one) => one.base !== base)
}
