import { AsyncLocalStorage } from 'node:async_hooks'
import { waitForGlobalWaitUntil } from 'cloudflare:test-internal'
import { env } from 'cloudflare:workers'
import * as vitest from 'vitest'
import { sendsNothing } from '../../../config/mode.ts'
import type { PageCommands } from '../browser/page-commands.ts'
import { redirectClients } from '../page/redirect-calls.ts'
import {
  destinationOf,
  type Venue,
  failRunning,
  type RunningTest,
  type TestsHere,
  watchTests,
} from '../page/watch-tests.ts'
import { readProvided } from '../setup/provided-config.ts'
import { giveTimeToRecord } from '../setup/worker-state.ts'
import { explainBinding, WHY, type WorkerCommand } from './worker-commands.ts'

// Runs in workerd, beside the test file and the Worker under test. The process of Vitest answers its requests.

/** How long a test waits for what its handlers gave to `waitUntil()`, in milliseconds. */
const MAX_WAIT = 5000

const { config, worker: address } = readProvided(vitest.inject('vitest-cassette')!)
const own = globalThis as { __vitestCassette?: TestsHere }
const here: TestsHere = (own.__vitestCassette ??= { tests: new Set() })
const asking = new AsyncLocalStorage<RunningTest>()
// Tests fake both.
const { fetch, setTimeout } = globalThis

const command =
  (name: WorkerCommand) =>
  async (...args: unknown[]): Promise<any> => {
    const answer = await fetch(`${address}/${name}`, { method: 'POST', body: JSON.stringify(args) })
    if (answer.ok) return answer.json()
    throw new Error(await answer.text())
  }

const venue: Venue = {
  here,
  process: {
    cassetteOpen: command('open') as PageCommands['cassetteOpen'],
    cassetteClose: command('close') as PageCommands['cassetteClose'],
  },
  asking: () => asking.getStore(),
  async run(test, runTest) {
    await asking.run(test, runTest)
    await settleHandlers()
  },
  why: WHY,
}

/** What handlers gave to `waitUntil()`, of all tests that run. */
let handlers: Promise<unknown> = Promise.resolve()

/** Waits until handlers have done what they gave to `waitUntil()`. */
async function settleHandlers(): Promise<void> {
  let isDone = false
  handlers = Promise.allSettled([handlers, waitForGlobalWaitUntil()])
  // Each in the context of its own request, where this test may not go on.
  void handlers.then(() => (isDone = true))
  const end = Date.now() + MAX_WAIT
  do await new Promise((resolve) => setTimeout(resolve, 1))
  while (!isDone && Date.now() < end)
}

/** Refuses what the Worker asks through bindings of Workers AI, which nobody here sees. */
function refuseBindings(): void {
  for (const [name, binding] of Object.entries(env)) {
    if (binding?.constructor?.name !== 'Ai') continue
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(binding))
    for (const method of methods) {
      if (method === 'constructor' || typeof binding[method] !== 'function') continue
      binding[method] = () => {
        const problem = explainBinding(name, method)
        failRunning(here, problem)
        throw new TypeError(problem)
      }
    }
  }
}

if (config.mode !== 'off') {
  if (address === undefined) throw new Error('The plugin did not lead the pool of this project.')
  // A Worker can run several files.
  if (!here.options) {
    redirectClients(globalThis, () => here.options!, destinationOf(venue))
    refuseBindings()
  }
  if (!sendsNothing(config.mode)) giveTimeToRecord(300_000)
  watchTests(venue, config, vitest)
}
