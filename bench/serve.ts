import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { JsonObject } from '../src/json/json-value.ts'

/** Serves a provider in a process of its own, which tells its address to the process that started it, and ends with it. */
export function serve(
  answer: (asked: JsonObject, path: string) => { type: string; text: string | Uint8Array },
): void {
  const server = createServer(async (request, response) => {
    const { type, text } = answer((await json(request)) as JsonObject, request.url!)
    response.writeHead(200, { 'content-type': type })
    response.end(text)
  })
  server.listen(0, '127.0.0.1', () => {
    process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  process.on('disconnect', () => process.exit())
}
