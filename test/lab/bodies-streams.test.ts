import { expect, test } from 'vitest'
import { References } from '../../src/cassette/format/references.ts'
import { scenario, whole } from './lab.ts'

const CLIENTS = ['fetch', 'undici', 'node:http', 'openai']

scenario('bodies-streams', (made) => {
  test('streams that are cancelled, aborted or cut are recorded and replayed', () => {
    for (const run of ['record', 'replay'] as const) {
      expect(made(run).titles('failed')).toEqual([])
      expect(whole(run).errors).toEqual([])
    }
  })

  test('while recording, the application sees each chunk as it arrives', () => {
    expect(recorded('held')).toEqual(['one ', 'two ', 'three'])
    expect(replayed('held')).toEqual(recorded('held'))
  })

  test.for(['reads-to-the-end', 'breaks-out-of-the-loop', 'aborts-in-the-middle'])(
    'the recording is complete, whatever the application reads of it: %s',
    (slug) => {
      const { response } = exchange(slug)
      expect(response).toMatchObject({ text: 'one two three', finish_reasons: ['stop'] })
      expect(response).not.toHaveProperty('incomplete')
      const { events, cut } = response.sent
      expect(events.flatMap(References.spread)).toHaveLength(4)
      expect(cut).toBeUndefined()
    },
  )

  test('an answer that is aborted before it arrives is recorded whole', () => {
    expect(exchange('aborts-before-the-answer').response).toMatchObject({
      text: 'Odd: uneven 1 aborted',
    })
  })

  test.for(CLIENTS)('where a client gave up, a replay is silent: %s', (name) => {
    const slug = name.replace(':', '-')
    expect(exchange(`${slug}-gives-up-before`).response.sent).toMatchObject({
      status: 499,
      aborted: 'before-headers',
    })
    const { response } = exchange(`${slug}-gives-up-in-a-stream`)
    expect(response).toMatchObject({ text: 'one two ', incomplete: true })
    expect(response.sent).toMatchObject({ aborted: 2 })
    expect(recorded(`stuck-${slug}`)).toContain('two ')
    expect(replayed(`stuck-${slug}`)).toEqual(recorded(`stuck-${slug}`))
  })

  test.for(CLIENTS)('what arrived until the client left is the recording: %s', (name) => {
    const { response } = exchange(`${name.replace(':', '-')}-leaves-a-stream`)
    expect(response).toMatchObject({ text: 'one two ', incomplete: true })
  })

  test.for(['first-chunk', 'aborted', 'cut-sdk'])(
    'the application gets the same pieces when replayed, also after its own abort: %s',
    (name) => {
      expect(replayed(name)).toEqual(recorded(name))
    },
  )

  test.for(['cut', 'torn'])(
    'a connection that broke breaks again at the same place: %s',
    (kind) => {
      const [was, now] = [recorded(kind), replayed(kind)]
      expect(now.pieces.join('')).toBe(was.pieces.join(''))
      expect(now.problem).toEqual(was.problem)
      const { response } = exchange(`a-connection-that-breaks-${kind}`)
      expect(response).toMatchObject({ incomplete: true, sent: { status: 200, cut: true } })
    },
  )

  function exchange(slug: string): any {
    const exchanges = made('record').exchanges(slug)
    expect(exchanges).toHaveLength(1)
    return exchanges[0]
  }

  const recorded = (name: string): any => made('record').result(name)
  const replayed = (name: string): any => made('replay').result(name)
})
