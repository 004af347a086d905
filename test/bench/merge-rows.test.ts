import { expect, test } from 'vitest'
import { mergeRows } from '../../bench/merge-rows.ts'

test('rows and columns of the table that were not measured stay', () => {
  const known = [
    '| workload | floor | ours | peer | gate | goal |',
    '| --- | --: | --: | --: | --: | --: |',
    '| call | 1 ms | 2.00 | 3.00 | – | ≤ 2 |',
    '| stream | 4 ms | 1.00 | 5.00 | – | ≤ 2 |',
  ]
  const measured = [
    '| workload | floor | ours | other | gate | goal |',
    '| --- | --: | --: | --: | --: | --: |',
    '| call | 1 ms | 1.90 | 7.00 | – | ≤ 2 |',
  ]
  const order = { titles: ['call', 'stream'], columns: ['floor', 'ours', 'peer', 'other'] }
  expect(mergeRows(known, measured, order)).toEqual([
    '| workload | floor | ours | peer | other | gate | goal |',
    '| --- | --: | --: | --: | --: | --: | --: |',
    '| call | 1 ms | 1.90 | 3.00 | 7.00 | – | ≤ 2 |',
    '| stream | 4 ms | 1.00 | 5.00 | – | – | ≤ 2 |',
  ])
  expect(mergeRows([], measured, order)).toEqual(measured)
})

test('rows stand in the order of the bench, and those that it no longer has go', () => {
  const known = [
    '| workload | floor | gone | gate | goal |',
    '| --- | --: | --: | --: | --: |',
    '| stream | 4 ms | 1.00 | – | ≤ 2 |',
    '| an older row | 1 ms | 1.00 | – | ≤ 2 |',
  ]
  const measured = [
    '| workload | floor | ours | gate | goal |',
    '| --- | --: | --: | --: | --: |',
    '| call | 1 ms | 1.90 | – | ≤ 1 |',
  ]
  const order = { titles: ['call', 'stream'], columns: ['floor', 'ours'] }
  expect(mergeRows(known, measured, order)).toEqual([
    '| workload | floor | ours | gate | goal |',
    '| --- | --: | --: | --: | --: |',
    '| call | 1 ms | 1.90 | – | ≤ 1 |',
    '| stream | 4 ms | – | – | ≤ 2 |',
  ])
})

test('a row in which a contestant takes no part keeps the figure that it had', () => {
  const known = [
    '| workload | ours | gate | goal |',
    '| --- | --: | --: | --: |',
    '| call | 2.00 | – | ≤ 2 |',
  ]
  const measured = [
    '| workload | ours | gate | goal |',
    '| --- | --: | --: | --: |',
    '| call | – | – | ≤ 1 |',
  ]
  const order = { titles: ['call'], columns: ['ours'] }
  expect(mergeRows(known, measured, order).at(-1)).toBe('| call | 2.00 | – | ≤ 1 |')
})
