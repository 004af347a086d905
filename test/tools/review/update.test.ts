import { describe, expect, test } from 'vitest'
import { keepUnchanged } from '../../../src/recording/keep-unchanged.ts'
import { compareCassettes } from '../../../src/tools/compare/compare-cassettes.ts'
import { stateOf } from './states.ts'
import { recordTurns, type Variant } from '../../recording/smallest-diff/record-turns.ts'
import { renewingWires } from '../../recording/smallest-diff/renewing-wires.ts'

/** A conversation of five turns, recorded again; what changed in few words. */
const AGAIN: Array<[name: string, variant: Variant, changes: string[]]> = [
  ['nothing', {}, []],
  ['a word of the prompt', { word: 'gently' }, ['prompt 1, edited: kindly → gently']],
  [
    'a word of it, and of an answer',
    { word: 'gently', changed: 4 },
    ['prompt 1, edited: kindly → gently', 'answer 8, edited: today → yesterday'],
  ],
  ['a turn more', { turns: 6 }, ['exchange 11, added', 'exchange 12, added']],
]

describe.for(renewingWires)('$name', (wire) => {
  test.for(AGAIN)('recorded again with another: %s', async ([, variant, changes]) => {
    const old = await recordTurns(wire, { turns: 5 })
    const fresh = keepUnchanged()(old, await recordTurns(wire, { turns: 5, ...variant }))
    const { changes: found } = compareCassettes({
      name: 'a.json',
      before: stateOf(old),
      after: stateOf(fresh),
    })
    expect(
      found.map(({ kind, place: { of, exchange }, before, after }) => {
        const isEdit = before?.type === 'text' && after?.type === 'text'
        const words = isEdit ? `: ${otherWords(before.text, after.text)}` : ''
        return `${of} ${exchange}, ${kind}${words}`
      }),
    ).toEqual(changes)
  })
})

/** The words in which two texts of as many words differ. */
function otherWords(before: string, after: string): string {
  const [old, current] = [before.split(' '), after.split(' ')]
  return old
    .flatMap((word, index) => (word === current[index] ? [] : `${word} → ${current[index]}`))
    .join(', ')
}
