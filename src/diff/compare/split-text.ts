import { alignSequences } from './align.ts'
import type { Content } from './prompt-change.ts'
import { makeChange, type Change } from './change.ts'

/** Splits an edited text into one change for each stretch of changed lines. Any other change stays as it is. */
export function splitText(change: Change): Change[] {
  const { kind, place, before, after } = change
  if (kind !== 'edited' || before?.type !== 'text' || after?.type !== 'text') return [change]
  const [old, current] = [before.text.split('\n'), after.text.split('\n')]
  if (old.length === 1 && current.length === 1) return [change]
  return alignSequences(old, current)
    .filter(({ same }) => !same)
    .map(({ recorded, received }) => {
      const [removed, added] = [old.slice(...recorded), current.slice(...received)]
      const pieces = {
        ...(removed.length > 0 ? { before: textOf(removed) } : {}),
        ...(added.length > 0 ? { after: textOf(added) } : {}),
      }
      const how = removed.length === 0 ? 'added' : added.length === 0 ? 'removed' : 'edited'
      const [from] = added.length > 0 ? received : recorded
      return makeChange({ kind: how, place: { ...place, line: from + 1 }, ...pieces })
    })
}

function textOf(lines: string[]): Content {
  return { type: 'text', text: lines.join('\n') }
}
