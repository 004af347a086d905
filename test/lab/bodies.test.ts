import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('bodies', (made) => {
  test('every body is recorded and replayed', () => {
    expect(made('record').titles('failed')).toEqual([])
    expect(made('replay').titles('failed')).toEqual([])
  })

  test('a compressed request is stored decoded and compares by what it says', () => {
    expect(exchange('a-compressed-request')).toMatchObject({
      prompt: { text: 'Can you read this?' },
      request: { body: { messages: [{ content: { $: 'prompt' } }] } },
    })
  })

  test('no header, value of a cookie, organisation or key of a query is in any file', () => {
    for (const text of Object.values(made('record').after)) {
      expect(text).not.toContain('hunter2')
      expect(text).not.toMatch(/authorization|session=1|org-1|api-key|organization/i)
      // A cookie of a response is there by its name alone.
      const cookies = text.match(/[^,{]*cookie[^,}]*/gi) ?? []
      for (const cookie of cookies) expect(cookie).toBe('"set-cookie":"session=<REDACTED:session>"')
    }
    const { url } = exchange('a-request-full-of-secrets').request
    expect(url).toMatch(/\/v1\/chat\/completions\?api-version=2$/)
  })

  test.for(['gzip', 'br', 'deflate', 'zstd'])(
    'an answer compressed with %s is stored decoded and replayed decoded once',
    (coding) => {
      const [type, length, text] = result(`compressed-${coding}`) as string[]
      expect(JSON.parse(text!)).toMatchObject({ id: 'odd-1' })
      expect({ type, length }).toEqual({ type: 'application/json', length: null })
      const { sent } = exchange(`compressed-with-${coding}`).response
      expect(sent.body).toMatchObject({ id: 'odd-1' })
      expect(sent.headers).toEqual({ 'content-type': 'application/json' })
    },
  )

  test('a compressed stream is stored event by event', () => {
    expect(result('compressed-stream-gzip')).toHaveLength(3)
    expect(exchange('compressed-with-stream-gzip').response.sent.events).toEqual([
      { id: 'odd-1', choices: expect.anything() },
      [expect.stringContaining(': a comment')],
      '[DONE]',
    ])
  })

  test('a client of node:http that never decodes gets the decoded answer', () => {
    expect(result('compressed-http')).toMatchObject({
      choices: [{ message: { content: 'Odd: gzip' } }],
    })
  })

  test('audio and text in another encoding come back byte for byte', () => {
    expect(result('binary')).toEqual([200, 'audio/mpeg', 'fffb9000c328'])
    expect(exchange('an-answer-that-is-binary').response.sent).toMatchObject({
      base64: '//uQAMMo',
    })
    expect(result('latin')).toEqual([200, 'text/plain', '636166e9'])
  })

  test.for(['chunks-lump', 'chunks-slow', 'chunks-faked'])(
    'a stream is replayed one event a chunk, however it had arrived: %s',
    (name) => {
      const whole = made('record').result(name).join('')
      const chunks = made('replay').result(name)
      expect(chunks.join('')).toBe(whole)
      const isChunked = name !== 'chunks-faked'
      if (isChunked) expect(chunks).toEqual(whole.split(/(?<=\n\n)/))
      expect(chunks.length).toBeGreaterThanOrEqual(isChunked ? 3 : 1)
    },
  )

  test('JSON is stored as an object and replayed as it was spelled', () => {
    const { sent } = exchange('an-answer-that-is-pretty').response
    expect(sent.body).toMatchObject({ id: 'odd-1', temperature: 1 })
    const [, , hex] = result('pretty') as string[]
    expect(Buffer.from(hex!, 'hex').toString()).toMatch(/^\{\n  "id": "odd-1",[^]*1\.0\n\}\n$/)
  })

  test('JSON that is broken is stored as text', () => {
    expect(exchange('an-answer-that-is-broken').response.sent).toMatchObject({
      text: '{"id":"odd-1", "choices":',
    })
    const [, , hex] = result('broken') as string[]
    expect(Buffer.from(hex!, 'hex').toString()).toBe('{"id":"odd-1", "choices":')
  })

  test('an empty body and an answer without one stay what they are', () => {
    expect(result('empty')).toEqual([200, null, ''])
    expect(result('nothing')).toEqual([204, true, ''])
    const { sent } = exchange('an-answer-of-status-204').response
    expect(sent).toEqual({ status: 204, headers: {} })
  })

  test('timers that are faked between calls hold up no replay', () => {
    for (const run of ['replay', 'replay by sockets'] as const)
      expect(made(run).test('timers that are faked').state).toBe('passed')
  })

  /** The one exchange of a cassette. */
  function exchange(slug: string): any {
    const exchanges = made('record').exchanges(slug)
    expect(exchanges).toHaveLength(1)
    return exchanges[0]
  }

  /** What the application got, which has to be the same in both runs. */
  function result(name: string): unknown {
    const recorded: unknown = made('record').result(name)
    expect(made('replay').result(name)).toEqual(recorded)
    return recorded
  }
})
