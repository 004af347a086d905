import { expect, test } from 'vitest'
import { scenario, whole } from './lab.ts'

scenario('params', (made) => {
  test('a cassette names its parameters, and holds their values nowhere else', () => {
    for (const slug of ['openai', 'anthropic']) {
      const { params, ...rest } = made('record').cassette(slug)
      expect(params).toEqual({ orderId: 4711, customer: 'Ada Lovelace' })
      const text = JSON.stringify(rest)
      expect(text).not.toMatch(/4711|Lovelace/)
      expect(text).toContain('order_{{orderId}}.pdf of {{customer}}?')
      expect(text).toContain('{{orderId:number}}')
    }
  })

  test('a parameter that stands nowhere is a warning while recording', () => {
    expect(whole('record').output).toContain('contains customer ("Ada Lovelace"), declared with')
    expect(made('record').cassette('word').params).toEqual({ orderId: 4711 })
  })

  // Each of these runs declares values of its own.
  test.for(['replay', 'threads', 'vmThreads', 'without isolation'] as const)(
    'one recording serves other values: %s',
    (run) => {
      expect(made(run).titles('failed')).toEqual([])
      expect(made(run).titles('passed')).toHaveLength(5)
    },
  )

  test('a changed word fails the test, and is all that is named', () => {
    expect(made('changed').titles('failed')).toEqual([
      'undeclared: the cassette asks for its parameters',
      'word: what is not declared stays exact',
    ])
    expect(made('changed').changes('word')).toEqual([
      { place: 'message 1 user', before: 'brief', after: 'kind' },
    ])
  })

  test('a missing declaration fails the test, and says what is to be declared', async () => {
    await expect(made('changed').text('undeclared')).toMatchFileSnapshot(
      'golden/params/undeclared.txt',
    )
  })
})
