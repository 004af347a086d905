import { expect, test } from 'vitest'
import { readRecordWords } from '../../../src/tools/record/record-words.ts'

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

test.each([
  [['--missing', '--changed'], /^--missing and --changed contradict each other/],
  [['--kept', '--changed'], /^--kept and --changed contradict/],
  [['--new', '--missing'], /^--new and --missing contradict/],
  [['--prompts', '--all-bytes'], /^--prompts and --all-bytes contradict/],
  [['--chnaged'], /^There is no option --chnaged\. Did you mean --changed\?$/],
  [['--mising'], /Did you mean --missing/],
  [['--prompt'], /Did you mean --prompts/],
  [['--max-costs=2'], /Did you mean --max-cost/],
  [['--max-cost'], /^--max-cost takes an amount/],
  [['--max-cost', 'much'], /^--max-cost takes/],
  [['--max-cost=-1'], /^--max-cost takes/],
  [['--max-cost='], /^--max-cost takes/],
])('%j is refused', (words, message) => {
  expect(() => readRecordWords(words)).toThrow(message)
})

test('options of Vitest are no misspelled ones', () => {
  const words = ['--reporter=dot', '--root=a', '--max-workers=1', '--retry=2', '--mode=all']
  expect(readRecordWords(words).others).toEqual(words)
})
