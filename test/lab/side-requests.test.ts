import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('side-requests', (made) => {
  test('what libraries ask beside the model is no prompt, and is not sent in replay', () => {
    expect(made('replay').titles('passed')).toHaveLength(19)
    expect(made('replay').after).toEqual({})
  })

  test('by other transports it is refused with its name, and the test fails', async () => {
    expect(made('replay').titles('failed')).toEqual(['the same over HTTP/2'])
    await expect(made('replay').text('the same')).toMatchFileSnapshot(
      'golden/side-requests/over-http2.txt',
    )
  })
})
