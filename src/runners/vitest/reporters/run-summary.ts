import { dirname } from 'node:path/posix'
import type { Colors } from 'picocolors/types.js'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import {
  costText,
  explainUnknown,
  sumUsage,
  tokensText,
  type UsageTotal,
} from '../../../conversation/cost.ts'
import type { PassedPictures } from '../../../engine/rare-cases.ts'
import { type Cause, hasNoCassette, isError, isInvalid } from '../../../explain/cause.ts'
import { countOf } from '../../../text/count-of.ts'
import { printable } from '../../../text/printable.ts'
import { summaryRows } from '../../run-watchers.ts'
import { MANY, sharedCauses } from './shared-causes.ts'

/** The lines of a run, in the manner of Vitest's own summary. */
export function renderSummary(tests: CassetteMeta[], paint: Colors): string {
  const total = (figure: 'replayed' | 'recorded' | 'misses' | 'unused'): number =>
    tests.reduce((sum, test) => sum + test[figure], 0)
  const replayed = total('replayed')
  const asked = tests.filter(
    (test) => test.replayed + test.recorded + test.misses > 0 || test.spoken,
  )
  const exchanges = [
    replayed > 0 && paint.green(`${replayed} replayed`),
    total('recorded') > 0 && paint.yellow(`${total('recorded')} recorded`),
    ...spokenIn(tests).map(([name, count]) => paint.yellow(`${count} by ${printable(name)}`)),
    total('misses') > 0 && paint.red(`${total('misses')} missed`),
    total('unused') > 0 && paint.red(`${total('unused')} unused`),
  ].filter(Boolean)
  let text = ''
  const add = (label: string, ...rows: string[]): void =>
    void (text += summaryRows(label, rows, paint))
  add('Cassettes', `${asked.length} ${asked.length === 1 ? 'test' : 'tests'}`)
  add('Exchanges', exchanges.join(paint.dim(' | ')) || 'none')
  for (const shared of sharedCauses(tests)) {
    const files = new Set(shared.tests.map(({ cassette }) => dirname(cassette))).size
    const where = `${countOf(shared.tests.length, 'cassette')} of ${countOf(files, 'file')}`
    if (!hasNoCassette(shared.cause) && !isInvalid(shared.cause) && !isError(shared.cause))
      add('Changed', paint.red(`${whatOf(shared.cause)}, in ${where}`))
  }
  const kept = tests.reduce((sum, test) => sum + test.kept, 0)
  if (kept > 0) {
    const changed = kept === 1 ? 'a changed prompt' : 'changed prompts'
    add('Kept', paint.yellow(`${countOf(kept, 'answer')} kept for ${changed}`))
  }
  const overcome = tests.reduce((sum, test) => sum + (test.overcome ?? 0), 0)
  if (overcome > 0)
    add(
      'Retried',
      `${countOf(overcome, 'error')}, not recorded. If a test needs them, set recordErrors: true`,
    )
  const passed = picturesText(tests.flatMap(({ pictures }) => pictures ?? []))
  if (passed !== '') add('Pictures', paint.yellow(passed))
  const handOvers = tests.flatMap((test) => test.handOvers)
  if (handOvers.length > 0) {
    const count = paint.yellow(countOf(handOvers.length, 'conversation'))
    add('Handed over', count, ...describeAlike(handOvers).map((line) => paint.dim(printable(line))))
  }
  if (replayed > 0) {
    const saved = sumUsage(tests.map((test) => test.saved))
    const unknown = explainUnknown(saved).map((line) => paint.dim(printable(line)))
    add('Saved', savedText(saved), ...unknown)
  }
  add('Invalid', ...describeInvalid(tests, paint))
  return text
}

/** A line for each test that left its recording. If the same happened to many, one line has their number. */
function describeAlike(handOvers: CassetteMeta['handOvers']): string[] {
  const groups = Map.groupBy(handOvers, ({ what }) => what)
  return [...groups].flatMap(([what, alike]) =>
    alike.length < MANY
      ? alike.map(({ test }) => `${test}: ${what}`)
      : `${countOf(alike.length, 'test')}: ${what}`,
  )
}

/** The pictures that differ from the recording and passed all the same. */
function picturesText(passed: readonly PassedPictures[]): string {
  const sum = (figure: 'alike' | 'ignored'): number =>
    passed.reduce((total, one) => total + one[figure], 0)
  const [alike, ignored] = [sum('alike'), sum('ignored')]
  const farthest = Math.max(0, ...passed.map((one) => one.farthest))
  return [
    alike > 0 && `${alike} alike, ${farthest} of 64 bits apart at most`,
    ignored > 0 && `${ignored} changed, and ignored`,
  ]
    .filter(Boolean)
    .join(' | ')
}

/** How many steps each speaker answered. */
function spokenIn(tests: readonly CassetteMeta[]): Array<[name: string, count: number]> {
  const counts = new Map<string, number>()
  for (const [name, count] of tests.flatMap(({ spoken = {} }) => Object.entries(spoken)))
    counts.set(name, (counts.get(name) ?? 0) + count)
  return [...counts]
}

function whatOf({ headline }: Cause): string {
  return headline.replace(/^The (?:prompt|call of an MCP server) changed: /, '')
}

function savedText(saved: UsageTotal): string {
  const calls = countOf(saved.exchanges, 'call')
  const cost = costText(saved)
  const money = cost === 'unknown' ? 'an unknown cost' : cost
  return `${calls}, ${tokensText(saved)}, ${money}, ${seconds(saved.durationMs)} of waiting`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`
}

/** The lines of a run on cassettes that are no longer valid, each once. */
function describeInvalid(tests: readonly CassetteMeta[], paint: Colors): string[] {
  const invalid = new Map(
    tests.filter(({ invalid }) => invalid.length > 0).map((test) => [test.cassette, test.invalid]),
  )
  if (invalid.size === 0) return []
  const isRetired = [...invalid.values()].flat().some((reason) => reason.startsWith('models: '))
  const count = invalid.size === 1 ? '1 cassette is' : `${invalid.size} cassettes are`
  return [
    paint.yellow(`${count} no longer valid`),
    ...Array.from(invalid, ([cassette, reasons]) => [
      printable(cassette),
      ...reasons.map((reason) => `  ${paint.dim(printable(reason).replaceAll('\n', ' '))}`),
    ]).flat(),
    `To record invalid cassettes again: ${paint.bold('npx vitest-cassette record --new')}`,
    ...(isRetired ? ['First ask other models in your code than those that are retired.'] : []),
  ]
}

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
