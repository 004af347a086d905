import { expect, test } from 'vitest'
import { readRecordWords } from '../../../src/tools/record/record-words.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'

test.each([
  [[], { mode: '1', which: 'all', others: [] }],
  [['refund', '-t', 'asks'], { mode: '1', which: 'all', others: ['refund', '-t', 'asks'] }],
  [['--', 'refund'], { mode: '1', which: 'all', others: ['refund'] }],
  [['--missing', '--project', 'a'], { mode: '1', which: 'missing', others: ['--project', 'a'] }],
  [['--changed', '--all-bytes'], { mode: 'all-bytes', which: 'changed', others: [] }],
  [['--changed', '--json'], { mode: '1', which: 'changed', json: true, others: [] }],
  [['--new'], { mode: 'new', which: 'all', others: [] }],
  [['--max-cost', '2', 'a'], { mode: '1', which: 'all', maxCost: 2, others: ['a'] }],
  [['--max-cost=$0.5'], { mode: '1', which: 'all', maxCost: 0.5, others: [] }],
])('%j', (words, expected) => {
  expect(readRecordWords(words)).toEqual(expected)
})

const REFUSED: Array<[words: string[], names: RegExp]> = [
  [['--missing', '--changed'], /^--missing \S+ --changed /],
  [['--kept', '--changed'], /^--kept \S+ --changed /],
  [['--new', '--missing'], /^--new \S+ --missing /],
  [['--prompts', '--all-bytes'], /^--prompts \S+ --all-bytes /],
  [['--max-cost'], /^--max-cost /],
  [['--max-cost', 'much'], /^--max-cost /],
  [['--max-cost=-1'], /^--max-cost /],
  [['--max-cost='], /^--max-cost /],
]

test.for(REFUSED)('%j is refused', ([words, names]) => {
  expect(() => readRecordWords(words)).toThrow(coded('invalid-command'))
  expect(() => readRecordWords(words)).toThrow(names)
})

test('a refusal says what to write', async () => {
  const texts: string[] = []
  for (const words of ['--missing --changed', '--max-cost much'])
    texts.push(`${words}\n${await failureOf(() => readRecordWords(words.split(' ')))}`)
  await expectGolden(texts.join('\n\n'), 'refused')
})
