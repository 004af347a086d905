import { inject } from 'vitest'
import { commands } from 'vitest/browser'
import { OUTSIDE, type PageCommands, SEVERAL } from '../browser/page-commands.ts'
import { visitFrames } from './frames.ts'
import { type PageWindow, redirectCalls } from './redirect-calls.ts'
import { refuseWorkers } from './refuse-workers.ts'
import {
  destinationOf,
  type Venue,
  failRunning,
  type TestsHere,
  watchTests,
} from './watch-tests.ts'

// Runs in the page in which a browser runs a test file. The process of Vitest answers its requests.

const process = commands as unknown as PageCommands
const { config } = inject('vitest-cassette')!
const pages = globalThis as { __vitestCassette?: TestsHere }
const here: TestsHere = (pages.__vitestCassette ??= { tests: new Set() })
const venue: Venue = { here, process, why: { outside: OUTSIDE, several: SEVERAL } }

if (config.mode !== 'off') {
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
  watchTests(venue, config)
}
