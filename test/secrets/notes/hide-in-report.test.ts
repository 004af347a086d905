import { afterEach, expect, test } from 'vitest'
import { hideInReport } from '../../../src/secrets/notes/hide-in-report.ts'

const KEY = 'zK4qLm8vT1yRw0Xc6PbN3dJ5'
const OTHER = 'Qm9xVb2nLs7KtRf4HcYd8WjZ'

process.env.REPORTED_API_KEY = KEY

afterEach(() => void (process.env.REPORTED_API_KEY = KEY))

test('leaves what holds no secret as it is', () => {
  const error = Object.freeze(Object.assign(new TypeError('no'), { code: 'E1', list: [1, 'two'] }))
  expect(hideInReport(error)).toBe(error)
  expect(error.message).toBe('no')
})

test('hides a key in the message, stack, name, properties, causes and errors of an error', () => {
  const inner = new AggregateError([new Error(`a ${KEY}`)], `b ${KEY}`)
  const error = Object.assign(new TypeError(`c ${KEY}`, { cause: inner }), {
    name: `Error of ${KEY}`,
    code: KEY,
    config: { headers: { 'x-key': KEY }, list: [KEY] },
    [KEY]: 1,
  })
  const shown = hideInReport(error)
  expect(shown).toBe(error)
  expect(shown).toBeInstanceOf(TypeError)
  const all = [
    shown.stack,
    shown.message,
    shown.name,
    JSON.stringify(shown),
    inner.stack,
    inner.message,
    String(inner.errors[0]),
  ]
  expect(all.join()).not.toContain(KEY)
  expect(shown.message).toBe('c <REDACTED:REPORTED_API_KEY>')
})

test('hides what the name of a property shows to be a credential, in the message too', () => {
  const error = Object.assign(new Error(`401 for ${OTHER}`), {
    config: { headers: { Authorization: `Bearer ${OTHER}` } },
  })
  hideInReport(error)
  expect(JSON.stringify([error, error.message, error.stack])).not.toContain(OTHER)
})

test('takes cyclic, frozen and hostile values', () => {
  const cyclic: Record<string, unknown> = { said: KEY }
  cyclic.self = cyclic
  const hostile = Object.defineProperty({ said: KEY }, 'boom', {
    enumerable: true,
    get: () => {
      throw new Error('boom')
    },
  })
  const value = {
    cyclic,
    frozen: Object.freeze({ said: KEY, deep: Object.freeze([KEY]) }),
    map: new Map([[KEY, KEY]]),
    set: new Set([KEY]),
    hostile,
  }
  const shown = hideInReport(value)
  expect(shown.cyclic.self).toBe(shown.cyclic)
  expect(shown.cyclic.said).not.toContain(KEY)
  expect(JSON.stringify(shown.frozen)).not.toContain(KEY)
  expect(JSON.stringify([...shown.map, ...shown.set])).not.toContain(KEY)
  expect(shown.hostile.said).not.toContain(KEY)
})

test('hides a key through which colours run, a piece of one, and one that is no longer set', () => {
  const diff = `- ${KEY.slice(0, 10)}\u001b[7m${KEY.slice(10)}\u001b[27m`
  expect(hideInReport({ diff }).diff).toBe('- <REDACTED:REPORTED_API_KEY>')
  expect(hideInReport(`expected '${KEY.slice(0, 14)}…'`)).toBe(
    "expected '<REDACTED:REPORTED_API_KEY>…'",
  )
  delete process.env.REPORTED_API_KEY
  expect(hideInReport(`it was ${KEY}`)).not.toContain(KEY)
})
