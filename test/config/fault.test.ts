import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFault, readFault, type FaultText } from '../../src/config/fault.ts'

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

test('nothing else is a fault', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect([true, false]).toContain(isFault(value))
    }),
  )
})
