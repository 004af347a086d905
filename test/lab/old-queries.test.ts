import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

// Its cassette is of a release that stored values of queries as digests. Nothing is there that could answer.
scenario('old-queries', (made) => {
  test('a recording with digests of the values of a query replays as before, and stays as it is', () => {
    const replay = made('replay')
    expect(replay.exchanges('a-search')[0].request.url).toContain(
      '?q=a4e24ecc45d7&lang=dbd3a49d0d90&page=2',
    )
    expect(replay.test('a search')).toMatchObject({ state: 'passed', cassette: { replayed: 1 } })
    expect(replay.after).toEqual(replay.before)
  })

  test.for([
    ['another value', 'threads', 'q=Which chairs?'],
    ['another value of another parameter', 'vmThreads', 'lang=de'],
    // A value that looks like a digest is told by its own.
    ['the digest itself', 'vmForks', 'lang=fde98d74943d'],
  ] as const)('%s misses', ([, run, after]) => {
    expect(made(run).code('a search')).toBe('miss')
    expect(made(run).changes('a search')).toContainEqual(expect.objectContaining({ after }))
  })
})
