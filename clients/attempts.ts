// Writes a line for every request that a client tries, with the test that it belongs to.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { basename } from 'node:path'
import { expect } from 'vitest'

const { fetch } = globalThis

globalThis.fetch = (...parameters) => {
  count(String(parameters[0]))
  return fetch(...parameters)
}
subscribe('http2.client.stream.created', () => count())
subscribe('http.client.request.created', (message) =>
  count((message as { request: ClientRequest }).request.path),
)

/** A client that signs in, or reads a picture out of its own address, asks no model. */
function count(address: string = ''): void {
  if (/\/token$|^data:/.test(address)) return
  const { testPath, currentTestName } = expect.getState()
  appendFileSync('attempts', `${basename(testPath ?? '', '.test.ts')} > ${currentTestName}\n`)
}
