import { expect, test } from 'vitest'
import { scenario } from './lab.ts'
import { replayCassette } from './replay-cassette.ts'

const LESS = 'asks less than before'
const NO_MORE = 'asks no more'
const FAILS = 'fails after its first question'

scenario('unused', (made) => {
  test('a passing test that asks less than was recorded fails, and lists what it did not ask', async () => {
    expect(made('changed').code(LESS)).toBe('unused')
    expect(made('changed').test(LESS).cassette.unused).toBe(1)
    await expect(made('changed').text(LESS)).toMatchFileSnapshot('golden/unused/asks-less.txt')
  })

  test('a test that asks no model any more is told to delete its cassette', async () => {
    expect(made('changed').code(NO_MORE)).toBe('unused')
    await expect(made('changed').text(NO_MORE)).toMatchFileSnapshot(
      'golden/unused/asks-no-more.txt',
    )
  })

  test('a test that fails anyway hears nothing of unused exchanges, nor does the summary', () => {
    expect(
      made('changed')
        .test(FAILS)
        .errors.map(({ name }) => name),
    ).toEqual(['AssertionError'])
    expect(made('changed').test(FAILS).cassette).toMatchObject({ replayed: 1, unused: 0 })
    expect(made('changed').titles('failed')).toEqual([LESS, NO_MORE, FAILS])
  })

  test('mode new drops what is not asked for, asks nobody, and keeps the rest as it was', async () => {
    const [recorded, renewed] = [
      made('record').cassette('asks-less'),
      made('new').cassette('asks-less'),
    ]
    expect(made('new').prompts('asks-less')).toEqual(['And when do we start?'])
    expect(renewed.oldest_answer).toBe(recorded.timestamp)
    expect(made('new').asked.filter(({ body }) => body.includes('And when do we start?'))).toEqual(
      [],
    )
    expect(made('new').test(LESS).state).toBe('passed')
    expect(replayCassette(renewed)).toEqual({ actions: ['replay'] })
    const warnings = made('new').warnings(`> ${LESS}`)
    expect(warnings).toHaveLength(1)
    await expect(warnings[0]).toMatchFileSnapshot('golden/unused/dropped.txt')
  })

  test.for(['replay', 'record again'] as const)(
    'skips and .only accuse nobody, delete nothing and drop no exchange, in the run "%s"',
    (run) => {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).titles('skipped')).toEqual([
        'a skipped suite > is skipped too',
        'is left out',
        'is skipped',
        'skips itself',
      ])
      for (const { title, cassette } of made(run).tests)
        expect([title, cassette.unused ?? 0]).toEqual([title, 0])
      expect(made(run).after).toEqual(made('record').after)
    },
  )

  test('recording again asks only for the tests that are not skipped, up to where they skip', () => {
    const asked = (question: string): number =>
      made('record again').asked.filter(({ body }) => body.includes(question)).length
    const questions = ['open', 'late', 'far', 'near', 'free', 'alone', 'in company']
    expect(questions.filter((word) => asked(`Is it ${word}?`) > 0)).toEqual([
      'late',
      'free',
      'alone',
    ])
  })
})
