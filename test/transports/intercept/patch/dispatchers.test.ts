import { afterEach, beforeEach, expect, test } from 'vitest'
import { dropIdleSockets } from '../../../../src/transports/intercept/patch/dispatchers.ts'
import { outsideDispatcher } from '../../../../src/transports/intercept/http/fetch-past-interception.ts'

const LEGACY = Symbol.for('undici.globalDispatcher.1')
const CURRENT = Symbol.for('undici.globalDispatcher.2')

interface Dispatcher {
  constructor: new (options?: object) => Dispatcher
}

const globals = globalThis as Record<symbol, Dispatcher | undefined>
let own: Dispatcher
let known: Array<Dispatcher | undefined>

beforeEach(async () => {
  // Node makes its own where it is asked for the first time.
  await fetch('data:,').catch(() => {})
  own = globals[LEGACY]!
  known = [globals[LEGACY], globals[CURRENT]]
})
afterEach(() => {
  globals[LEGACY] = known[0]
  globals[CURRENT] = known[1]
})

test('what an agent sends with as Node makes it is sent with one of its kind, and always the same', () => {
  const outside = outsideDispatcher()!
  expect(outside.constructor).toBe(own.constructor)
  expect(outside).not.toBe(own)
  expect(outsideDispatcher()).toBe(outside)
})

test('an agent with settings keeps them', () => {
  globals[LEGACY] = new own.constructor({ headersTimeout: 1_234 })
  const outside = outsideDispatcher()!
  const options = Object.getOwnPropertySymbols(outside).find((one) => one.description === 'options')
  expect(outside[options as never]).toMatchObject({ headersTimeout: 1_234 })
})

test('an agent without the sockets of another has the same settings', () => {
  const connect = { rejectUnauthorized: false }
  globals[LEGACY] = new own.constructor({ headersTimeout: 1_234, connect })
  const configured = globals[LEGACY]
  dropIdleSockets()
  expect(globals[LEGACY]).not.toBe(configured)
  const [symbol] = Object.getOwnPropertySymbols(globals[LEGACY]).filter(
    ({ description }) => description === 'options',
  )
  expect(globals[LEGACY][symbol as never]).toMatchObject({ headersTimeout: 1_234, connect })
})

test('an agent with a way of its own to connect goes that way', () => {
  globals[LEGACY] = new own.constructor({ connect: { rejectUnauthorized: false } })
  expect(outsideDispatcher()).toBeUndefined()
})

test('what is no agent goes its own way', () => {
  globals[LEGACY] = { constructor: class MockAgent {} } as never
  expect(outsideDispatcher()).toBeUndefined()
})
