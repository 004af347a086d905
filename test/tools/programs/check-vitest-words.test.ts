import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkVitestWords } from '../../../src/tools/programs/check-vitest-words.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'

const manifest = createRequire(import.meta.url).resolve('vitest/package.json')
const vitest = join(dirname(manifest), 'vitest.mjs')
const OWN = ['changed', 'missing', 'prompts', 'max-cost']

const REFUSED: Array<[words: string[], closest: string]> = [
  [['--no-such-flag'], '--'],
  [['--chnaged'], '--changed'],
  [['--mising'], '--missing'],
  [['--prompt'], '--prompts'],
  [['--max-costs=2'], '--max-cost'],
  [['--reporters=dot'], '--reporter'],
  [['-t', '['], '-t ['],
  [['--testNamePattern=('], '('],
  [['-t'], '-t'],
]

test.each(REFUSED)('%j is refused', async (words, says) => {
  expect(() => checkVitestWords(vitest, words, OWN)).toThrow(coded('invalid-command'))
  expect(await failureOf(() => checkVitestWords(vitest, words, OWN))).toContain(says)
})

test('a refusal names the closest option', async () => {
  const texts: string[] = []
  for (const [words] of REFUSED)
    texts.push(`${words.join(' ')}\n${await failureOf(() => checkVitestWords(vitest, words, OWN))}`)
  await expectGolden(texts.join('\n\n'), 'refused')
})

test.each([
  '--reporter=dot --root=a --max-workers=1 --retry=2 --mode=all',
  '-t ^asks$ --project a --no-coverage --coverage.enabled=false --no-file-parallelism -u',
  '-t --not-an-option a.test.ts -- --of-another-program',
])('Vitest takes %s', (words) => {
  expect(() => checkVitestWords(vitest, words.split(' '), OWN)).not.toThrow()
})
