// The provider of the rows that record: answers like the workload of single calls.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { singleCall, type ChatRequest } from './exchanges.ts'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest
    const [, index = '0'] = /Question (\d+)/.exec(String(messages.at(-1)!.content)) ?? []
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(singleCall(Number(index), 0).answer)
  })
})

server.listen(0, '127.0.0.1', () => {
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('disconnect', () => process.exit())
