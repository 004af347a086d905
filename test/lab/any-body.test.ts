import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { type Made, made as madeOf, scenario } from './lab.ts'

scenario('any-body', (made) => {
  test('a request to the path of a provider at any host is a call, whatever its body holds', () => {
    const unlisted = madeOf('any-body-unlisted', 'replay')
    expect(strays(unlisted)).toEqual([])
    expect(unlisted.titles('passed')).toEqual([])
    expect(unlisted.titles('failed').length).toBeGreaterThan(60)
    const texts = unlisted.tests.flatMap(({ errors }) => errors.map(({ text }) => text))
    expect(texts.join('\n')).toMatch(/'127\.0\.0\.1:\d+' .*\ballowHosts\b/)
  })

  test('any prompt at an address that the cassette holds is compared with what was recorded there', () => {
    expect(ofFile(made('record'), 'held', 'failed')).toEqual([])
    expect(ofFile(made('replay'), 'held', 'failed')).toEqual([])
    const changed = made('changed')
    expect(strays(changed)).toEqual([])
    expect(ofFile(changed, 'held', 'passed')).toEqual([])
    for (const title of ofFile(changed, 'held', 'failed')) {
      expect([title, changed.code(title)]).toEqual([title, 'miss'])
      expect([title, changed.changes(title)]).not.toEqual([title, []])
    }
  })

  test('the body of any method is sent, stored and compared', () => {
    expect(ofFile(made('record'), 'methods', 'failed')).toEqual([])
    // Its response has no body that could tell.
    const heads = made('record').arrived.filter(({ method }) => method === 'HEAD')
    expect(heads.map(({ body }) => body)).toEqual(['{"query":{"match":{"title":"lamps"}}}'])
    expect(strays(made('replay'))).toEqual([])
    expect(ofFile(made('replay'), 'methods', 'failed')).toEqual([])
    const changed = made('changed')
    expect(strays(changed)).toEqual([])
    expect(ofFile(changed, 'methods', 'passed')).toEqual([])
    for (const title of ofFile(changed, 'methods', 'failed'))
      expect([title, ...changed.changes(title)]).toEqual([
        title,
        expect.objectContaining({ before: 'lamps', after: 'chairs' }),
      ])
  })

  test('the host that a request names is sent, stored and compared', needs('curl'), () => {
    for (const run of ['record', 'replay'] as const)
      expect(ofFile(made(run), 'host', 'failed')).toEqual([])
    // In the pool of threads they name none.
    for (const run of ['changed', 'threads'] as const) {
      expect(strays(made(run))).toEqual([])
      // These send the host of the address, whatever header they are given.
      const passed = ofFile(made(run), 'host', 'passed')
      expect(passed.filter((title) => !/^(?:fetch|child) /.test(title))).toEqual([])
      expect(ofFile(made(run), 'host', 'failed').length).toBeGreaterThan(15)
    }
  })

  test('a provider that is asked by name at another address is one, and gets what it is asked there', () => {
    expect(madeOf('any-body-by-name', 'record').titles('failed')).toEqual([])
    const replay = madeOf('any-body-by-name', 'replay')
    expect(strays(replay)).toEqual([])
    expect(replay.titles('passed')).toHaveLength(6)
    expect(replay.titles('failed')).toEqual([])
    const changed = madeOf('any-body-by-name', 'changed')
    expect(strays(changed)).toEqual([])
    expect(changed.titles('failed')).toHaveLength(6)
    expect(changed.titles('passed')).toEqual([])
  })

  test('a socket goes to its address, and the host that it names is sent, stored and compared', () => {
    expect(ofFile(made('record'), 'sockets', 'failed')).toEqual([])
    expect(ofFile(made('replay'), 'sockets', 'passed')).toHaveLength(4)
    for (const run of ['changed', 'threads'] as const)
      expect(ofFile(made(run), 'sockets', 'passed')).toEqual(['globalThis.WebSocket'])
  })

  test('the subprotocols of a socket are recorded without the keys in them', () => {
    const record = madeOf('any-body-protocols', 'record')
    expect(record.titles('failed')).toEqual([])
    expect(record.cassettes).toHaveLength(4)
    for (const path of record.cassettes)
      expect(record.after[path]).not.toContain('4f9a7c2e8b1d6053')
  })

  test.for([
    ['the same', 'replay', 4],
    ['the same with another key', 'threads', 4],
    ['none', 'changed', 0],
    ['another', 'ci', 0],
    ['one more', 'vmForks', 0],
    ['the same, and frames of bytes', 'without isolation', 0],
  ] as const)('the subprotocols of a socket are compared: %s', ([, run, passed]) => {
    const replay = madeOf('any-body-protocols', run)
    expect(strays(replay)).toEqual([])
    expect(replay.titles('passed')).toHaveLength(passed)
    const codes = replay.tests.flatMap(({ errors }) => errors.map(({ code }) => code))
    expect(codes).toEqual(Array(4 - passed).fill('miss'))
  })

  test('a socket whose frames are bytes replays, and not for frames that are texts', () => {
    expect(madeOf('any-body-binary', 'record').titles('failed')).toEqual([])
    expect(madeOf('any-body-binary', 'replay').titles('passed')).toHaveLength(4)
    expect(madeOf('any-body-binary', 'changed').titles('failed')).toHaveLength(4)
  })
})

/** What escaped: the models are asked for in a scenario that may. */
function strays({ arrived }: Made): Made['arrived'] {
  return arrived.filter(({ url }) => url !== '/v1/models')
}

/** The titles of the tests of a file that ended so. */
function ofFile({ tests }: Made, name: string, ended: 'passed' | 'failed'): string[] {
  const own = tests.filter(({ file, state }) => file === `${name}.test.ts` && state === ended)
  return own.map(({ title }) => title)
}
