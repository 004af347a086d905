import { expect, test } from 'vitest'
import { explainMiss } from '../as-reported.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'

/** What the failure of a judge that reads two drafts in the other order hints at. */
function hintsWith(drafts: readonly [prompt: string, answer: string][]): string[] {
  const judge = (texts: string[]): string => `Which is best?\n${texts.join('\n')}`
  const answers = drafts.map(([, answer]) => answer)
  const session = openExample(
    recorded(
      ...drafts.map(([prompt, answer]): Parameters<typeof recorded>[0] => [
        question(prompt),
        answer,
      ]),
      [question(judge(answers)), 'The first.'],
    ),
  )
  for (const [index, [prompt]] of drafts.entries())
    session.answer(question(prompt), { order: index })
  session.answer(question(judge(answers.toReversed())), { order: drafts.length })
  const { details } = explainMiss(session, session.misses[0]!, false)
  // Between the diff and the commands.
  return details.split('\n\n').slice(3, -1)
}

test('answers to equal prompts that came in another order are named', async () => {
  const [hint, ...more] = hintsWith([
    ['Draft it.', 'Dear "sir"'],
    ['Draft it.', 'Hello'],
  ])
  expect(hint).toContain('exchange-1, exchange-2')
  expect(more).toEqual([])
  await expectGolden(hint!, 'two-answers')
})

test('answers to different prompts, and equal answers, are not', () => {
  for (const drafts of [
    [
      ['Draft it.', 'Dear sir'],
      ['Draft it well.', 'Hello'],
    ],
    [
      ['Draft it.', 'Hello'],
      ['Draft it.', 'Hello'],
      ['Draft it well.', 'Dear sir'],
    ],
  ] as [string, string][][])
    expect(hintsWith(drafts)).toEqual([])
})
