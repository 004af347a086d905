import { sumUsage } from '../../../conversation/cost.ts'
import { countOf } from '../../../text/count-of.ts'
import { hasNoCassette, isError, isInvalid } from '../../../explain/cause.ts'
import { howToRecord } from '../../../explain/explain-invalid.ts'
import {
  describeTaking,
  KEEPS_ANSWERS,
  renderWays,
  type WayOut,
} from '../../../explain/ways-out.ts'
import type { Settled } from './settled-tests.ts'
import type { SharedCause } from './shared-causes.ts'

/**
 * The failure text of tests with one cause: that of the first test, with the commands that settle all of them.
 *
 * @param found the number of files and projects that the tests belong to
 * @param settled what the commands take in
 * @param first the failure text of the first test of a project
 */
export function renderSharedCause(
  { cause, tests }: SharedCause<object>,
  found: { files: number; projects: number },
  settled: Settled,
  first: string,
  color: boolean,
): string {
  const shown = first.split(cause.advice)[0]!.trimEnd()
  const files = `${countOf(tests.length, 'test')} of ${countOf(found.files, 'file')}`
  const several = found.projects > 1
  const all = several ? `${files} in ${countOf(found.projects, 'project')}` : files
  const which = several ? 'one' : 'the first'
  const others = describeOthers(settled.tests.length - tests.length)
  if (isError(cause)) return `${shown}\n\nThis error fails ${all}: above is ${which} of them.`
  if (isInvalid(cause))
    return `${shown}\n\nThe recordings of ${all} are no longer valid, for the same reason: above is ${which} of them.\n${others}${howToRecord('them', cause.lasts === true)}:\n  ${recordCommand('new', settled)}`
  if (!hasNoCassette(cause))
    return `${shown}\n\nThis one change fails ${all}: above is ${which} of them.\n${others}If it is meant, ${renderWays(waysOut(tests, settled), color)}`
  const nothing = `${shown}\n\nNothing is recorded for ${all}: this is ${which} of them.`
  const missing = { command: recordCommand('missing', settled), takes: 'record them all' }
  return cause.key === 'renamed'
    ? `${nothing}\n${others}Tests that are gone were recorded with these prompts. If they were renamed, ${renderWays([DETECT, missing], color)}`
    : `${nothing}${others === '' ? ' ' : `\n${others}`}To ${renderWays([missing], color)}`
}

const DETECT: WayOut = {
  command: 'npx vitest-cassette move --detect',
  takes: 'keep their recordings, and send no request',
}

/** Warns of tests that the same command takes in, though they fail for other reasons. */
function describeOthers(count: number): string {
  if (count <= 0) return ''
  const fail = count === 1 ? 'fails for another reason' : 'fail for other reasons'
  return `${countOf(count, 'more test')} ${fail}. The command takes ${count === 1 ? 'it' : 'them'} in too, so look at ${count === 1 ? 'it' : 'them'} first.\n`
}

function waysOut(tests: SharedCause<object>['tests'], settled: Settled): WayOut[] {
  const took = sumUsage(settled.tests.flatMap(({ cause }) => cause?.took ?? []))
  const record = { command: recordCommand('changed', settled), takes: describeTaking(took) }
  const keep = { command: recordCommand('prompts', settled), takes: KEEPS_ANSWERS }
  return tests.every(({ cause }) => cause.keeps) ? [keep, record] : [record]
}

function recordCommand(
  which: 'changed' | 'missing' | 'new' | 'prompts',
  { words }: Settled,
): string {
  return [`npx vitest-cassette record --${which}`, ...words].join(' ')
}
