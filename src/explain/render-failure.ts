import { stripVTControlCharacters } from 'node:util'
import type { Failure, RenderedFailure } from './failure.ts'

/** Lays a failure out as all runners show it: sections with an empty line between two of them. */
export function renderFailure(failure: Failure, color: boolean): RenderedFailure {
  const { details, advice, notes, ...facts } = color ? failure : withoutColors(failure)
  const all = joined([...details, advice, ...notes])
  const before = joined(details)
  const gap = before === '' ? '' : GAP
  return { ...facts, details: all, adviceAt: advice === '' ? all.length : (before + gap).length }
}

/** A failure for a terminal without colours. */
export function withoutColors(failure: Failure): Failure {
  const { details, advice, notes } = failure
  return {
    ...failure,
    details: details.map(stripVTControlCharacters),
    advice: stripVTControlCharacters(advice),
    notes: notes.map(stripVTControlCharacters),
  }
}

const GAP = '\n\n'

function joined(sections: readonly string[]): string {
  return sections.filter((section) => section !== '').join(GAP)
}
