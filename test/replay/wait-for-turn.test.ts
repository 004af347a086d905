import { expect, test } from 'vitest'
import { areInFlight, type Flight, type Flights } from '../../src/replay/flights.ts'
import { waitForTurn } from '../../src/replay/wait-for-turn.ts'
import { nextTurn } from '../../src/real/clock.ts'

const flight = (place: number, response?: Response, left = 0): Flight => ({
  place,
  left,
  ...(response ? { response } : {}),
})

const inFlight = (...open: Flight[]): Flights => ({ open: new Set(open), haveMet: false })

test('a response waits until the one before it was read', async () => {
  const before = flight(0, new Response('a'))
  let isOver = false
  const waiting = waitForTurn(flight(1), inFlight(before), () => 0).then(() => (isOver = true))
  await nextTurn()
  expect(isOver).toBe(false)
  await before.response!.text()
  await waiting
  expect(isOver).toBe(true)
})

test('a response that nobody reads is not waited for again', async () => {
  const flights = inFlight(flight(0, new Response('a')), flight(1, new Response('b'), 3))
  await waitForTurn(flight(2), flights, () => 0)
  expect(areInFlight(flights)).toBe(false)
})

test('a request that never comes is waited for some turns, and no timer', async () => {
  const flights = inFlight(flight(0))
  let turns = 0
  await waitForTurn(flight(2), flights, () => {
    turns++
    return 1
  })
  expect(turns).toBeGreaterThan(5)
  expect(turns).toBeLessThan(50)
  // It has come, and its own turn is still to come.
  expect(areInFlight(flights)).toBe(true)
})

test('a response without a body, and one behind, are nothing to wait for', async () => {
  const flights = inFlight(flight(0, new Response(null, { status: 204 })), flight(2))
  const waiting = waitForTurn(flight(1), flights, () => 0)
  let isOver = false
  void waiting.then(() => (isOver = true))
  await Promise.resolve()
  await Promise.resolve()
  expect(isOver).toBe(true)
})
