import { stripVTControlCharacters } from 'node:util'
import type { Failure, RenderedFailure } from './failure.ts'

/** Lays a failure out as all runners show it: sections with an empty line between two of them. */
export function renderFailure(
  { details, advice, notes, ...facts }: Failure,
  color: boolean,
): RenderedFailure {
  const before = render(details, color)
  const from = advice === '' ? [] : [advice]
  const all = render([...details, ...from, ...notes], color)
  const adviceAt = advice === '' ? all.length : before.length === 0 ? 0 : before.length + GAP.length
  return { ...facts, details: all, adviceAt }
}

const GAP = '\n\n'

function render(sections: readonly string[], color: boolean): string {
  const text = sections.filter((section) => section !== '').join(GAP)
  return color ? text : stripVTControlCharacters(text)
}
