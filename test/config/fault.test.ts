import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFault, readFault, spellFault, type FaultText } from '../../src/config/fault.ts'

test('words and fields say the same', () => {
  expect(readFault('429')).toEqual(readFault({ status: 429 }))
  expect(readFault('503 twice')).toEqual(readFault({ status: 503, times: 2 }))
  expect(readFault('cut after event 3')).toEqual(readFault({ cutAfterEvent: 3 }))
  expect(readFault('delay 1.5s once')).toEqual(readFault({ delayMs: 1_500, times: 1 }))
  expect(readFault('delay 20ms')).toEqual({ delayMs: 20, times: Infinity })
})

const often = fc.constantFrom('', ' once', ' twice', ' always', ' 3 times')
const what = fc.oneof(
  fc.integer({ min: 400, max: 599 }).map(String),
  fc.nat(1_000).map((event) => `cut after event ${event}`),
  fc.nat(1_000).map((time) => `delay ${time}ms`),
)

test('every fault in words is read, and nothing beside them', () => {
  fc.assert(
    fc.property(what, often, fc.string({ minLength: 1 }), (said, times, more) => {
      expect(isFault(said + times)).toBe(true)
      expect(readFault((said + times) as FaultText).times).toBeGreaterThan(0)
      expect(isFault(`${more}${said}${times}!`)).toBe(false)
    }),
  )
})

test('a fault without end is spelled so, and null is no number of times', () => {
  expect(spellFault({ status: 503, times: Infinity })).toBe('{"status":503,"times":Infinity}')
  expect(isFault({ status: 503, times: null })).toBe(false)
})

test.for([
  '',
  '429 never',
  '429 0 times',
  '399',
  '600',
  '4290',
  'cut after event 1.5',
  'delay 20',
  {},
  [],
  { status: 399 },
  { status: 600 },
  { status: 429.5 },
  { status: '429' },
  { status: 429, cutAfterEvent: 1 },
  { status: 429, delayMs: 1 },
  { status: 429, times: 0 },
  { status: 429, times: 1.5 },
  { status: 429, on: 1 },
  { status: 429, retryAfter: -1 },
  { status: 429, reason: 'too fast' },
  { cutAfterEvent: -1 },
  { cutAfterEvent: 1, retryAfter: 1 },
  { delayMs: -1 },
  { delayMs: Infinity },
  { times: 1 },
])('%j is no fault', (value) => {
  expect(isFault(value)).toBe(false)
})

test('no value of another kind is a fault', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(isFault(value)).toBe(false)
    }),
  )
})
