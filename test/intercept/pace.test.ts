import { afterEach, expect, test, vi } from 'vitest'
import { pace } from '../../src/intercept/pace.ts'

afterEach(() => void vi.useRealTimers())

test('every chunk has a turn of the event loop for itself', async () => {
  const three = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of ['one', 'two', 'three']) controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
  const paced = pace(new Response(three))!
  let turns = 0
  const turn = (): void => void (turns++, (running = setImmediate(turn)))
  let running = setImmediate(turn)
  const seen: number[] = []
  for await (const _ of paced.body!) seen.push(turns)
  clearImmediate(running)
  expect(new Set(seen).size).toBe(3)
})

test('an answer says where it ends, so that its connection is kept', async () => {
  const headers = { 'content-type': 'application/json' }
  const paced = pace(new Response('{}', { status: 201, statusText: 'Made', headers }))!
  expect([...paced.headers]).toEqual([
    ['content-type', 'application/json'],
    ['transfer-encoding', 'chunked'],
  ])
  expect([paced.status, paced.statusText, await paced.text()]).toEqual([201, 'Made', '{}'])
})

test('while timers are faked no connection is kept, since fetch takes it up again with one', () => {
  vi.useFakeTimers()
  expect(pace(new Response('{}'))!.headers.has('transfer-encoding')).toBe(false)
})

test('what has no body stays as it is', () => {
  const empty = new Response(null, { status: 204 })
  expect(pace(empty)).toBe(empty)
  expect(pace(undefined)).toBeUndefined()
})
