import { expect, test } from 'vitest'
import { mergeRows } from '../../bench/merge-rows.ts'

test('rows and columns of the table that were not measured stay', () => {
  const known = [
    '| workload | floor | ours | peer | target |',
    '| --- | --: | --: | --: | --: |',
    '| call | 1 ms | 2.00 | 3.00 | ≤ 2 |',
    '| stream | 4 ms | 1.00 | 5.00 | ≤ 2 |',
  ]
  const measured = [
    '| workload | floor | ours | other | target |',
    '| --- | --: | --: | --: | --: |',
    '| call | 1 ms | 1.90 | 7.00 | ≤ 2 |',
  ]
  expect(mergeRows(known, measured)).toEqual([
    '| workload | floor | ours | peer | other | target |',
    '| --- | --: | --: | --: | --: | --: |',
    '| call | 1 ms | 1.90 | 3.00 | 7.00 | ≤ 2 |',
    '| stream | 4 ms | 1.00 | 5.00 | – | ≤ 2 |',
  ])
  expect(mergeRows([], measured)).toEqual(measured)
})
