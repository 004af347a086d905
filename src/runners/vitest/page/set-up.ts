import { commands } from 'vitest/browser'
import { OUTSIDE, type PageCommands, SEVERAL } from '../browser/page-commands.ts'
import { visitFrames } from './frames.ts'
import { type PageWindow, redirectCalls } from './redirect-calls.ts'
import { refuseWorkers } from './refuse-workers.ts'
import { readProvided } from '../setup/provided-config.ts'
import type { VitestHooks } from '../setup/vitest-hooks.ts'
import {
  destinationOf,
  type Venue,
  failRunning,
  type TestsHere,
  watchTests,
} from './watch-tests.ts'

// Runs in the page in which a browser runs a test file. The process of Vitest answers its requests.

const process = commands as unknown as PageCommands

/**
 * Gives the tests of a page their cassettes.
 *
 * @param vitest what the Vitest of the page exports, or has in its place
 */
export async function setUpPage(
  vitest: Pick<VitestHooks, 'aroundAll' | 'inject' | 'TestRunner'>,
): Promise<void> {
  const { config } = readProvided(vitest.inject('vitest-cassette')!)
  if (config.mode === 'off') return
  const pages = globalThis as { __vitestCassette?: TestsHere }
  const here: TestsHere = (pages.__vitestCassette ??= { tests: new Set() })
  const venue: Venue = { here, process, why: { outside: OUTSIDE, several: SEVERAL } }
  // A page can run several files.
  if (!here.options) {
    const unseen = await process.cassetteWatch()
    const redirect = (page: PageWindow): void => {
      redirectCalls(page, () => here.options!, destinationOf(venue))
      refuseWorkers(
        page,
        unseen,
        () => here.options!.allowHosts,
        (problem) => failRunning(here, problem),
      )
    }
    redirect(window)
    visitFrames(window, redirect)
  }
  watchTests(venue, config, vitest)
}
