import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('bodies-bad', (made) => {
  test('what is bad in an answer is recorded and replayed', () => {
    expect(made('record').titles('failed')).toEqual([])
    expect(made('replay').titles('failed')).toEqual([])
  })

  test('the application gets the same of it in both runs', () => {
    const { results } = made('record')
    expect(results).toHaveLength(17)
    for (const name of results)
      expect([name, made('replay').result(name)]).toEqual([name, made('record').result(name)])
  })

  test('a redirect is recorded as one, and what it leads to as an exchange of its own', () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const [first, second] = made('record').exchanges(`a-redirect-that-is-followed-${status}`)
      expect(first.response).not.toHaveProperty('incomplete')
      expect(first.response.sent).toMatchObject({
        status,
        headers: {
          'content-type': 'text/plain',
          location: '/moved/v1/chat/completions?api-version=2',
        },
        text: 'Moved.',
      })
      expect(second.request).toMatchObject({
        method: status < 304 ? 'GET' : 'POST',
        url: expect.stringMatching(/\/moved\/v1\/chat\/completions\?api-version=2$/),
      })
    }
    for (const text of Object.values(made('record').after)) expect(text).not.toContain('hunter2')
  })

  test('an answer that a content-length cuts off is no whole answer', () => {
    for (const kind of ['short-length', 'long-length'])
      for (const slug of [`a-content-length-that-lies-${kind}`, `under-an-sdk-${kind}`])
        expect(made('record').exchanges(slug)[0].response).toMatchObject({ incomplete: true })
    expect(result('short-length')).toEqual(['{"id":"odd-1', null])
    expect(result('long-length')).toEqual([
      expect.stringContaining('Odd: long-length'),
      expect.anything(),
    ])
  })

  test('the readable half says incomplete where it cannot know, and passes over what it need not', () => {
    const [broken] = made('record').exchanges('a-stream-under-an-sdk-bad-event')
    expect(broken.response).toMatchObject({ text: 'one ', incomplete: true })
    expect(result('bad-event')).toEqual([['one '], expect.stringContaining('JSON')])
    const [unknown] = made('record').exchanges('a-stream-under-an-sdk-new-event')
    expect(unknown.response).toEqual({
      text: 'one two 🎈',
      finish_reasons: ['stop'],
      duration_ms: expect.any(Number),
      sent: expect.anything(),
    })
    for (const kind of ['broken', 'empty', 'nothing'])
      expect(made('record').exchanges(`under-an-sdk-${kind}`)[0].response).toMatchObject({
        text: '',
        incomplete: true,
      })
  })

  const result = (name: string): unknown => made('replay').result(name)
})
