import { expect, test } from 'vitest'
import { scenario } from './lab.ts'
import { replayCassette } from './replay-cassette.ts'

const HAND_WRITTEN = [
  'fails in the middle',
  'loops with anthropic',
  'loops with anthropic streamed',
  'loops with openai',
  'loops with openai streamed',
  'serves every client',
]

scenario('hand-written', (made) => {
  test('the SDKs of OpenAI and Anthropic take what a person wrote, at once and streamed, calls and their loops', () => {
    expect(made('replay').titles('passed')).toEqual(HAND_WRITTEN)
    expect(made('replay').after).toEqual(made('replay').before)
  })

  test('a wrong hash fails the test, with both hashes and both texts', async () => {
    expect(made('replay').titles('failed')).toEqual(['goes on live', 'has a wrong hash'])
    await expect(made('replay').text('has a wrong hash')).toMatchFileSnapshot(
      'golden/hand-written/has-a-wrong-hash.txt',
    )
  })

  test('what is missing is recorded beside it, the file keeps what was written, and both replay', () => {
    expect(made('replay').code('goes on live')).toBe('miss')
    expect(made('new').titles('passed')).toEqual(['goes on live'])
    expect(made('new').exchanges('goes-on-live')).toEqual([
      { prompt: { text: 'Hello?' }, response: { text: 'Hi there.' } },
      expect.objectContaining({ id: 'exchange-2', request: expect.anything() }),
    ])
    expect(replayCassette(made('new').cassette('goes-on-live'))).toEqual({
      actions: ['replay', 'replay'],
    })
  })
})
