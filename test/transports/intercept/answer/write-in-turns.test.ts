import { afterEach, expect, test, vi } from 'vitest'
import { writeInTurns } from '../../../../src/transports/intercept/answer/write-in-turns.ts'
import { markWhole } from '../../../../src/transports/intercept/call/fetched-response.ts'

afterEach(() => void vi.useRealTimers())

test('every chunk has a turn of the event loop for itself', async () => {
  const three = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of ['one', 'two', 'three']) controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
  const paced = (await writeInTurns(new Response(three)))!
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
  const made = new Response('{}', { status: 201, statusText: 'Made', headers })
  const paced = (await writeInTurns(made))!
  expect([...paced.headers]).toEqual([
    ['content-type', 'application/json'],
    ['transfer-encoding', 'chunked'],
  ])
  expect([paced.status, paced.statusText, await paced.text()]).toEqual([201, 'Made', '{}'])
})

test('while timers are faked no connection is kept, since fetch takes it up again with one', async () => {
  vi.useFakeTimers()
  expect((await writeInTurns(new Response('{}')))!.headers.has('transfer-encoding')).toBe(false)
})

test('what is known to be one chunk stays as it is, and comes in a turn of its own', async () => {
  let isLater = false
  setImmediate(() => (isLater = true))
  const one = markWhole(new Response('{}'))
  expect(await writeInTurns(one)).toBe(one)
  expect(isLater).toBe(true)
  expect(one.headers.get('transfer-encoding')).toBe('chunked')
})

test('what has no body stays as it is', async () => {
  const empty = new Response(null, { status: 204 })
  expect(await writeInTurns(empty)).toBe(empty)
  expect(await writeInTurns(undefined)).toBeUndefined()
})
