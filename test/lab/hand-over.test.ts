import { expect, test } from 'vitest'
import { scenario, whole } from './lab.ts'
import { replayCassette } from './replay-cassette.ts'

scenario('hand-over', (made) => {
  test('the rest of a conversation that changed goes live, and those beside it replay', () => {
    const { state, cassette } = made('new').test('an agent')
    expect(state).toBe('passed')
    expect(cassette).toMatchObject({ replayed: 4, recorded: 2, unused: 0 })
    // Two prompts of the test that passes, and two of the one that fails.
    expect(made('new').asked.filter(({ body }) => body.includes('Basel'))).toHaveLength(4)
  })

  test('the summary says where a conversation left its recording', async () => {
    const handOvers = made('new').tests.flatMap(({ cassette }) => cassette.handOvers ?? [])
    await expect(JSON.stringify(handOvers, null, 2)).toMatchFileSnapshot(
      'golden/hand-over/hand-overs.json',
    )
    expect(whole('new').output).toMatch(/^Handed over {2}\d+ conversations$/m)
  })

  test('a conversation that was handed over replays as a whole', () => {
    expect(replayCassette(made('new').cassette('an-agent'))).toEqual({
      actions: Array.from({ length: 6 }, () => 'replay'),
    })
  })

  test.for(['an agent', 'a failing agent'])(
    'a test says where its conversation left the recording, and what changed: %s',
    async (title) => {
      const warnings = made('new').warnings(` talk.test.ts > ${title}`)
      expect(warnings).toHaveLength(1)
      await expect(warnings[0]).toMatchFileSnapshot(
        `golden/hand-over/${title.replaceAll(' ', '-')}.txt`,
      )
    },
  )

  test('a test that fails after it left its recording leaves that as it was', () => {
    expect(made('new').titles('failed')).toEqual(['a failing agent asks them too'])
    expect(made('new').cassette('a-failing-agent')).toEqual(
      made('record').cassette('a-failing-agent'),
    )
    expect(made('new').test('a failing agent').errors[0]!.name).toBe('AssertionError')
  })

  test('in a replay the first divergence is the only error', () => {
    for (const title of ['an agent', 'a failing agent']) {
      expect(made('changed').code(title)).toBe('miss')
      expect(made('changed').changes(title)).toEqual([
        { place: 'message 3 user', before: 'Bern?', after: 'Basel?' },
      ])
      expect(made('changed').test(title).cassette.unused).toBe(0)
    }
  })
})
