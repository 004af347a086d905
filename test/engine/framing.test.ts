import { expect, test } from 'vitest'
import { comparableTo, type Incoming, OF_BYTES, readIncoming } from '../../src/engine/incoming.ts'
import { readText } from '../../src/wire/body.ts'

const url = 'wss://llm.example.com/v1/realtime'
const HELLO = readText('{"type":"session.update"}')

/** The second frame of a conversation over a socket. */
function second(protocols: string, isBytes: boolean = false): Incoming {
  const headers = protocols === '' ? {} : { headers: { 'sec-websocket-protocol': protocols } }
  const opened = readIncoming({ method: 'GET', url, ...headers, body: { kind: 'empty' } })
  const first = { method: 'SEND', url, ...(isBytes ? { headers: OF_BYTES } : {}), body: HELLO }
  const before = readIncoming(first, { before: opened })
  return readIncoming({ method: 'SEND', url, body: HELLO }, { before })
}

const matches = (known: Incoming, asked: Incoming): boolean =>
  comparableTo(known, asked).hash === known.hash

test('subprotocols and the kind of a frame count in all that follows on their socket', () => {
  expect(matches(second('realtime'), second('realtime'))).toBe(true)
  expect(matches(second('realtime', true), second('realtime', true))).toBe(true)
  expect(matches(second('realtime'), second(''))).toBe(false)
  expect(matches(second('realtime'), second('realtime', true))).toBe(false)
  expect(matches(second('', true), second(''))).toBe(false)
})
