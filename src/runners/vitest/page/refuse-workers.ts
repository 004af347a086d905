import { matchesHost } from '../../../config/hosts.ts'
import type { WorkerName } from '../browser/page-commands.ts'
import type { PageWindow } from './redirect-calls.ts'

/** Why a worker may not start whose requests nobody can see. */
function explainUnseen(name: string, host: string): string {
  return (
    `A page started a ${name}, whose requests nobody sees here: they could be neither recorded nor replayed, so it is refused.\n` +
    `Let the page or a Worker ask${name === 'Worker' ? " under playwright() of '@vitest/browser-playwright'" : ''}, ` +
    `or, if it asks no model, add '${host}' to the option allowHosts.`
  )
}

/**
 * Refuses the workers of a page whose requests are not seen.
 *
 * @param refuse is told the reason
 */
export function refuseWorkers(
  page: PageWindow,
  names: readonly WorkerName[],
  allowHosts: () => readonly string[],
  refuse: (problem: string) => void,
): void {
  for (const name of names) {
    // Chromium on Android has no SharedWorker.
    if (!page[name]) continue
    page[name] = new Proxy(page[name], {
      construct(target, args: [string | URL, ...unknown[]], newTarget) {
        // A blob has the origin of its page.
        const origin = new URL(new URL(args[0], page.document.baseURI).origin)
        if (!matchesHost(origin, allowHosts())) {
          const problem = explainUnseen(name, origin.host)
          refuse(problem)
          throw new TypeError(problem)
        }
        return Reflect.construct(target, args, newTarget) as object
      },
    }) as never
  }
}
