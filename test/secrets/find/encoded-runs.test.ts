import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsIn } from '../../../src/secrets/find/encoded-runs.ts'

test('each run of base64 that is long enough is found, and no other', () => {
  const piece = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9+/_-]{0,30}$/),
    fc.constantFrom(' ', '=', '.', '\n', 'é', '界', '\u{1f600}'),
  )
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 25 }), (spelled, least) => {
      const found = spelled.matchAll(new RegExp(`[A-Za-z0-9+/_-]{${least},}`, 'g'))
      const runs = Array.from(found, ({ 0: run, index }) => [index, index + run.length])
      expect(runsIn(spelled, least)).toEqual(runs)
    }),
  )
})
