import { sumUsage } from '../../conversation/cost/usage.ts'
import { countOf } from '../../diff/render/count-of.ts'
import { hasNoCassette } from '../../explain/cause.ts'
import { describeTaking, KEEPS_ANSWERS, renderWays, type WayOut } from '../../explain/ways-out.ts'
import type { SharedCause } from './shared-causes.ts'

/**
 * The failure text of tests with one cause: that of the first test, with the commands that settle all of them.
 *
 * @param found the number of files and projects that the tests belong to
 * @param first the failure text of the first test of a project
 */
export function renderSharedCause(
  { cause, tests }: SharedCause<object>,
  found: { files: number; projects: number },
  first: string,
  color: boolean,
): string {
  const shown = first.split(cause.advice)[0]!.trimEnd()
  const files = `${countOf(tests.length, 'test')} of ${countOf(found.files, 'file')}`
  const several = found.projects > 1
  const all = several ? `${files} in ${countOf(found.projects, 'project')}` : files
  const which = several ? 'one' : 'the first'
  if (!hasNoCassette(cause))
    return `${shown}\n\nThis one change fails ${all}: above is ${which} of them.\nIf it is meant, ${renderWays(waysOut(tests), color)}`
  const nothing = `${shown}\n\nNothing is recorded for ${all}: this is ${which} of them.`
  return cause.key === 'renamed'
    ? `${nothing}\nTests that are gone were recorded with these prompts. If they were renamed, ${renderWays([DETECT, MISSING], color)}`
    : `${nothing} To ${renderWays([MISSING], color)}`
}

const DETECT: WayOut = {
  command: 'npx vitest-cassette move --detect',
  takes: 'keep their recordings, and send no request',
}

const MISSING: WayOut = {
  command: 'npx vitest-cassette record --missing',
  takes: 'record them all',
}

function waysOut(tests: SharedCause<object>['tests']): WayOut[] {
  const took = sumUsage(tests.map(({ cause }) => cause.took))
  const record = { command: 'npx vitest-cassette record --changed', takes: describeTaking(took) }
  const keep = { command: 'npx vitest-cassette record --prompts', takes: KEEPS_ANSWERS }
  return tests.every(({ cause }) => cause.keeps) ? [keep, record] : [record]
}
