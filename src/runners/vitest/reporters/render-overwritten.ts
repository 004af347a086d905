import { countOf } from '../../../text/count-of.ts'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'

/** A test, or a file outside of its tests, in one of the projects of a run. */
interface InProject {
  project: string
  meta: CassetteMeta
}

/**
 * Names the cassettes that several projects, or several instances of a browser, recorded with different prompts: the
 * last one replaced the others. `undefined` where there are none.
 */
export function renderOverwritten(recorded: readonly InProject[]): string | undefined {
  const shared = Map.groupBy(
    recorded.filter(({ meta }) => meta.prompts !== undefined),
    ({ meta }) => meta.cassette,
  )
  const lost = [...shared].filter(
    ([, all]) => new Set(all.map(({ meta }) => meta.prompts)).size > 1,
  )
  if (lost.length === 0) return undefined
  const names = new Set(lost.flatMap(([, all]) => all.map(({ project }) => project)))
  const projects = [...names].map((name) => `'${name}'`).join(' and ')
  return [
    `${countOf(lost.length, 'cassette')} recorded by ${projects} with different prompts. Only the last recording of each is left:`,
    ...lost.map(([cassette]) => `  ${cassette}`),
    "Give each project a folder of its own, cassettes({ dir: '__recordings__/<project>' }), and record again.",
  ].join('\n')
}
