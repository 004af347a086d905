import { expect, test } from 'vitest'
import { scenario, whole } from './lab.ts'

const ANSWERED = [
  'a script goes on from the cassette, streamed: false',
  'a script goes on from the cassette, streamed: true',
]
const TOO_EARLY = 'a script that ends too early'
const TO_LIVE = 'a step is left to the provider'

scenario('speakers', (made) => {
  test('a speaker answers in the format asked for, plain and streamed, recording and replaying', () => {
    expect(made('record').titles('passed')).toEqual([...ANSWERED, TOO_EARLY, TO_LIVE])
    expect(made('replay').titles('passed')).toEqual(ANSWERED)
  })

  test('what a speaker says stands in no cassette, and is counted by its name', () => {
    for (const run of ['record', 'replay'] as const) {
      for (const title of ANSWERED)
        expect(made(run).test(title).cassette.spoken).toEqual({ script: 2 })
      for (const text of Object.values(made(run).after)) expect(text).not.toContain('Second.')
    }
    const spoken = made('replay').tests.map(({ cassette }) => cassette.spoken?.script ?? 0)
    expect(spoken.reduce((sum, count) => sum + count)).toBe(5)
    expect(whole('replay').output).toMatch(/^ *Exchanges .* 5 by script\b/m)
  })

  test('a speaker that fails a step fails the test, with its reason', async () => {
    await expect(made('replay').text(TOO_EARLY)).toMatchFileSnapshot(
      'golden/speakers/too-early.txt',
    )
  })

  test('a step that is left to the provider is recorded, and refused where nothing is sent', async () => {
    expect(made('record').prompts('a-step-is-left')).toEqual(['renewed left'])
    await expect(made('replay').text(TO_LIVE)).toMatchFileSnapshot('golden/speakers/to-live.txt')
  })
})
