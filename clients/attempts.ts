// Writes a line for every request that a client tries, with the test that it belongs to.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect } from 'vitest'

const { fetch } = globalThis

globalThis.fetch = (...parameters) => {
  count()
  return fetch(...parameters)
}
subscribe('http2.client.stream.created', count)
subscribe('http.client.request.created', count)

function count(): void {
  const { testPath, currentTestName } = expect.getState()
  appendFileSync('attempts', `${basename(testPath ?? '', '.test.ts')} > ${currentTestName}\n`)
}
