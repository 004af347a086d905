import { ask, summarize } from './app.mjs'

await ask('while the file loads')

describe('globals', () => {
  test('has a fallback', async () => {
    expect(await summarize('a report')).toBeString()
  })
})
