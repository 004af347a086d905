import stableStringify from 'fast-json-stable-stringify'
import type { Cassette, Exchange } from '../cassette/format/cassette.ts'
import { countOf } from '../diff/render/count-of.ts'

/** A cassette before and after a run that recorded it. */
export interface Rerecorded {
  /** Absent where there was none. */
  before?: { text: string; cassette?: Cassette }
  after: { text: string; cassette?: Cassette }
}

/** What became of the cassettes of a run, in words: `3 cassettes: the prompt of 2, the answer of 1; 38 as they were`. */
export function describeChanges(all: readonly Rerecorded[]): string {
  const fresh = all.filter(({ before }) => before === undefined).length
  const changed = all.filter(({ before, after }) => before && before.text !== after.text)
  const count = (differs: (before: Exchange[], after: Exchange[]) => boolean): number =>
    changed.filter(({ before, after }) =>
      differs(before!.cassette?.exchanges ?? [], after.cassette?.exchanges ?? []),
    ).length
  const parts = [
    partOf('the prompt of', count(arePromptsOther)),
    partOf('the answer of', count(areAnswersOther)),
    partOf('only how it is written of', count(areAlike)),
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

function arePromptsOther(before: Exchange[], after: Exchange[]): boolean {
  return isOther(before.map(promptOf), after.map(promptOf))
}

function areAnswersOther(before: Exchange[], after: Exchange[]): boolean {
  return isOther(before.map(answerOf), after.map(answerOf))
}

function areAlike(before: Exchange[], after: Exchange[]): boolean {
  return !arePromptsOther(before, after) && !areAnswersOther(before, after)
}

function isOther(before: string[], after: string[]): boolean {
  return before.length !== after.length || before.some((one, index) => one !== after[index])
}

/** What is new in a prompt. That an answer changed shows in each prompt that follows it, and is no change of those. */
function promptOf({ prompt, wire }: Exchange, index: number): string {
  const { text, metadata } = prompt
  return stableStringify({ text, metadata, first: index === 0 ? wire?.request.body : undefined })
}

/** What an answer says. */
function answerOf({ response }: Exchange): string {
  const { text, reasoning, tool_calls: calls = [], finish_reasons: reasons, error } = response
  const said = calls.map(({ tool_name: name, parameters }) => [name, parameters])
  return stableStringify({ text, reasoning, said, reasons, error })
}
