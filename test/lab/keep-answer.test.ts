import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('keep-answer', (made) => {
  test('a comma in a system prompt keeps the answers of a tool loop, with no provider', () => {
    const { tests, before, after, cassettes } = made('prompts')
    expect(tests.map(({ state, cassette }) => [state, cassette.kept])).toEqual([
      ['passed', 2],
      ['passed', 2],
    ])
    expect(cassettes).toHaveLength(2)
    for (const path of cassettes) {
      expect(after[path]).toContain('brief, and kind')
      expect(after[path]!.match(/"kept": true/g)).toHaveLength(2)
      expect(answersOf(after[path]!)).toEqual(answersOf(before[path]!))
    }
  })

  test('verify warns of each answer that was kept for a changed prompt', async () => {
    expect((await made('prompts').cli('verify')).code).toBe(0)
    const found = (await made('prompts').findings()).map(
      ({ check, severity }) => `${severity} ${check}`,
    )
    expect(found).toEqual(Array(4).fill('warning kept-answers'))
  })
})

for (const [name, change] of [
  ['keep-answer-added', 'one message more'],
  ['keep-answer-turned', 'another order of the tools'],
])
  scenario(name!, (made) => {
    test(`RECORD=prompts keeps no answer for ${change}: the tests miss, and no cassette changes`, async () => {
      const { tests, before, after } = made('prompts')
      expect(tests.map(({ state, cassette }) => [state, cassette.misses])).toEqual([
        ['failed', 1],
        ['failed', 1],
      ])
      for (const { title } of tests) expect(made('prompts').code(title)).toBe('miss')
      expect(Object.keys(after)).toHaveLength(2)
      expect(after).toEqual(before)
      await expect(made('prompts').text('an agent calls a tool of openai')).toMatchFileSnapshot(
        `golden/keep-answer/${name}.txt`,
      )
    })
  })

function answersOf(text: string): unknown {
  return JSON.parse(text).exchanges.map(
    ({ response }: { response: { sent: unknown } }) => response.sent,
  )
}
