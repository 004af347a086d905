import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { writeResponse } from '../../../src/transports/gateway/http-exchange.ts'

test('a client that reads slowly costs no listener for each chunk', async () => {
  const counts: number[] = []
  const outgoing = new Writable({
    highWaterMark: 1,
    write(_chunk, _encoding, done) {
      counts.push(outgoing.listenerCount('close') + outgoing.listenerCount('error'))
      setImmediate(done)
    },
  })
  const head = { writeHead: () => outgoing, flushHeaders: () => {} }
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < 20; at++) controller.enqueue(new TextEncoder().encode(`chunk ${at}`))
      controller.close()
    },
  })
  await writeResponse(
    new Response(body),
    Object.assign(outgoing, head) as unknown as ServerResponse,
  )
  expect(counts).toHaveLength(20)
  expect(Math.max(...counts)).toBeLessThan(5)
})
