import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('order', (made) => {
  test('a recording is the same byte for byte whichever answer ended first', () => {
    const [first, second] = (['record', 'record again'] as const).map((run) =>
      made(run)
        .result('finished')
        .filter((question: string) => question.startsWith('uneven')),
    )
    expect(first).toEqual(['uneven 0 of round 1', 'uneven 1 of round 1'])
    expect(second).toEqual(first.toReversed())
    const { before, after } = made('record again')
    const [path] = Object.keys(after).filter((file) => file.includes('asks-all-at-once'))
    expect(after[path!]).toContain('uneven 0 of round 1')
    expect(after[path!]).toBe(before[path!])
  })

  test('exchanges stand in the order in which their responses ended', () => {
    const prompts = made('record').prompts('asks-while-it-uploads')
    expect(prompts).toEqual(['What is quick?', 'What comes late?'])
  })

  test('a prompt asked twice gets its answers in order, and prompts asked at once get their own', () => {
    for (const run of ['replay', 'without isolation'] as const) {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).replayed).toBe(13)
    }
    const [first, second] = made('replay').result('twice')
    expect(first).toMatch(/^Odd: numbered again \(\d+\)$/)
    expect(second).not.toBe(first)
    expect([first, second]).toEqual(made('record').result('twice'))
  })

  test('prompts that arrive the other way round get their own answers', () => {
    expect(made('threads').titles('failed')).toEqual([])
    expect(made('threads').test('asks all at once').cassette.replayed).toBe(5)
    // They end as they did when they were recorded.
    const [, ...prompts] = made('record').prompts('asks-all-at-once')
    expect(made('threads').result('finished')).toEqual(prompts)
  })

  test('a prompt asked once more than recorded is a miss that says how many answers were replayed', async () => {
    expect(made('changed').titles('failed')).toEqual(['asks one prompt twice'])
    expect(made('changed').code('asks one prompt twice')).toBe('miss')
    expect(made('changed').changes('asks one prompt twice')).toEqual([])
    await expect(made('changed').text('asks one prompt twice')).toMatchFileSnapshot(
      'golden/order/asked-once-more.txt',
    )
  })

  test('two tests whose titles differ in how a letter is composed have a cassette each', () => {
    for (const run of ['record', 'replay'] as const) {
      const composed = made(run).tests.filter(({ file }) => file === 'composed.test.ts')
      expect(composed.map(({ state }) => state)).toEqual(Array(4).fill('passed'))
    }
    const cassettes = made('record').cassettes.filter((path) => path.startsWith('composed'))
    expect(cassettes).toHaveLength(4)
  })

  test('a test whose title differs from another only in how a letter is composed replays alone', () => {
    const composed = made('vmThreads').tests.filter(({ file }) => file === 'composed.test.ts')
    expect(composed.map(({ title, state }) => [title, state])).toEqual([
      ['\u00e9', 'skipped'],
      ['e\u0301', 'passed'],
      ['E\u0301', 'skipped'],
      ['\u00e9\u200b', 'skipped'],
    ])
    expect(composed[1]!.cassette.replayed).toBe(1)
  })
})

scenario('order-last', (made) => {
  test("with the option repeats: 'last' a prompt asked once more than recorded gets the last answer again", () => {
    expect(made('replay').titles('failed')).toEqual([])
    expect(made('replay').replayed).toBe(3)
    const [first, last] = made('record').result('answers')
    expect(made('replay').result('answers')).toEqual([first, last, last])
  })
})
