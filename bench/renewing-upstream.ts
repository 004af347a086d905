// A provider that sends nothing twice: ids, dates, cached tokens and the pieces of a stream are new in every answer.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../src/json/json-value.ts'
import { answerOf, lastOf, say } from '../test/rerecord/renewing-provider.ts'
import { renewingWires } from '../test/rerecord/renewing-wires.ts'

let changed: number | undefined
process.on('message', (order: { changed?: number }) => {
  changed = order.changed
  process.send!('done')
})

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const wire = renewingWires.find(({ path }) => request.url === path)!
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject
    response.writeHead(200, { 'content-type': wire.type })
    response.end(answerOf(wire, asked, say(lastOf(wire, asked), changed)))
  })
})

server.listen(0, '127.0.0.1', () => {
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('disconnect', () => process.exit())
