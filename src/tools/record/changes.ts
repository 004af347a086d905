import { countOf } from '../../text/count-of.ts'
import type { Change } from '../../diff/change.ts'
import { compareCassettes, type CassetteState } from '../compare/compare-cassettes.ts'

/** A cassette before and after a run that recorded it. */
export interface Rerecorded {
  /** Absent where there was none. */
  before?: CassetteState
  after: CassetteState
}

/** Describes how a run changed cassettes: `3 cassettes: the prompt of 2, the answer of 1; 38 as they were`. */
export function describeChanges(all: readonly Rerecorded[]): string {
  const fresh = all.filter(({ before }) => before === undefined).length
  const changed = all
    .filter(({ before, after }) => before && before.text !== after.text)
    .map((states) => compareCassettes({ name: '', ...states }).changes)
  const count = (differs: (changes: Change[]) => boolean): number => changed.filter(differs).length
  const parts = [
    partOf('the prompt of', count(hasOther('prompt'))),
    partOf('the answer of', count(hasOther('answer'))),
    partOf('only how it is written of', count(isOnlyWritten)),
  ].filter(Boolean)
  const same = all.length - fresh - changed.length
  return [
    fresh > 0 ? `${countOf(fresh, 'new cassette')}` : '',
    changed.length > 0
      ? `${countOf(changed.length, 'cassette')}${fresh > 0 ? ' changed' : ''}: ${parts.join(', ')}`
      : '',
    same > 0 ? sameText(same, fresh + changed.length === 0) : '',
  ]
    .filter(Boolean)
    .join('; ')
}

function partOf(what: string, count: number): string {
  return count > 0 ? `${what} ${count}` : ''
}

function sameText(count: number, isAlone: boolean): string {
  const are = count === 1 ? 'as it was' : 'as they were'
  return isAlone ? `${countOf(count, 'cassette')} ${are}` : `${count} ${are}`
}

/** An added or removed exchange counts as a change of both halves. */
function hasOther(half: 'prompt' | 'answer'): (changes: Change[]) => boolean {
  return (changes) => changes.some(({ place: { of } }) => of === half || of === 'exchange')
}

function isOnlyWritten(changes: Change[]): boolean {
  return changes.every(({ place: { of } }) => of === 'cassette')
}
