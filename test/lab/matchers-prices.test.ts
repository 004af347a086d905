import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('matchers-prices', (made) => {
  test('prices of the options are used in place of the known ones', async () => {
    expect(made('record').titles('passed')).toEqual(['costs more than the known price'])
    // What is asked is the same each time, and so are its tokens and its cost.
    await expect(made('record').text('passes')).toMatchFileSnapshot(
      'golden/matchers-prices/passes-its-limit.txt',
    )
  })

  test('what replay saves is counted by the prices of the options', () => {
    const { cassette, state } = made('replay').test('costs more')
    expect(state).toBe('passed')
    expect(cassette.saved).toHaveLength(4)
    expect(cassette.prices).toEqual({ 'gpt-5': { input: 10_000, output: 0 } })
  })
})
