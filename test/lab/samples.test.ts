import { expect, test } from 'vitest'
import { type Made, scenario } from './lab.ts'

const REPLAYS = ['replay', 'threads', 'without isolation', 'replay by sockets'] as const

scenario('samples', (made) => {
  test('each repeat of a test is a sample of its own, in one cassette, and replays by its number', () => {
    const record = made('record')
    expect(record.titles('failed')).toEqual([])
    expect(samplesOf(record, 'has-two')).toEqual([1, 2])
    const [first, second] = ['two-1', 'two-2'].map((name) => record.result(name))
    expect(first).not.toBe(second)
    for (const run of REPLAYS) {
      const replay = made(run)
      expect(replay.titles('failed')).toEqual([])
      expect([replay.result('two-1'), replay.result('two-2')]).toEqual([first, second])
      expect(replay.touched).toEqual([])
    }
  })

  test('samples of tests that run at the same time are told apart', () => {
    for (const name of ['one', 'other']) {
      expect(samplesOf(made('record'), `${name}-`)).toEqual([1, 1, 2, 2, 3, 3])
      for (const run of REPLAYS)
        for (const sample of [1, 2, 3])
          expect(made(run).result(`${name}-${sample}`)).toEqual(
            made('record').result(`${name}-${sample}`),
          )
    }
  })

  test('samples can be of different lengths, or ask nothing', () => {
    expect(samplesOf(made('record'), 'asks-once-more')).toEqual([1, 2, 2, 3, 3, 3])
    expect(samplesOf(made('record'), 'asks-in-its-first')).toEqual([1])
    for (const sample of [1, 2, 3])
      expect(made('replay').result(`grows-${sample}`)).toEqual(
        made('record').result(`grows-${sample}`),
      )
  })

  test('a retry is no sample', () => {
    expect(samplesOf(made('record'), 'is-tried-again')).toEqual([1, 2])
    const [, first, , second] = [1, 2, 3, 4].map((run) => made('record').result(`retry-${run}`))
    const replayed = [1, 2, 3, 4].map((run) => made('replay').result(`retry-${run}`))
    expect(replayed).toEqual([first, first, second, second])
  })

  test('all samples of a test are counted', () => {
    const title = 'together > one'
    expect(made('record').test(title).cassette).toMatchObject({ recorded: 6, replayed: 0 })
    expect(made('replay').test(title).cassette).toMatchObject({ recorded: 0, replayed: 6 })
  })

  test('a sample that is not recorded is refused by its number', async () => {
    const changed = made('changed')
    expect(changed.titles('failed')).toEqual(['has two samples'])
    expect(changed.code('has two samples')).toBe('miss')
    await expect(changed.text('has two samples')).toMatchFileSnapshot('golden/samples/third.txt')
    expect(changed.touched).toEqual([])
  })

  test('mode new records the samples that are missing, and leaves the others as they are', () => {
    const [record, again] = [made('record'), made('new')]
    expect(again.titles('failed')).toEqual([])
    expect(samplesOf(again, 'has-two')).toEqual([1, 2, 3])
    expect(again.exchanges('has-two').slice(0, 2)).toEqual(record.exchanges('has-two'))
    expect(again.touched).toHaveLength(1)
    // Other scenarios ask in the same run.
    const asked = again.asked.map(({ body }) => JSON.stringify(body))
    expect(asked.filter((body) => body.includes('sample'))).toEqual([
      expect.stringContaining('numbered sample'),
    ])
  })
})

/** The sample of each exchange of a cassette. */
function samplesOf(run: Made, slug: string): number[] {
  return run.exchanges(slug).map(({ sample = 1 }) => sample)
}
