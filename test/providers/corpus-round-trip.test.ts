import { expect, test } from 'vitest'
import { dialectOf } from '../../src/providers/dialects.ts'
import { writeBody } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'
import { addressOf, bytesOf, eachCorpus, type CorpusExchange } from '../corpus.ts'

eachCorpus((corpus) => {
  test('what real providers answered reads the same after it was written anew', () => {
    const figures = new Map<string, { written: number; same: number }>()
    const different: string[] = []
    for (const exchange of corpus) {
      const request = requestOf(exchange)
      const dialect = dialectOf(request)
      const read = dialect.readCompletion(responseOf(exchange))
      if (!dialect.writeCompletion || exchange.status >= 300 || read.incomplete) continue
      const figure = figures.get(dialect.name) ?? { written: 0, same: 0 }
      figures.set(dialect.name, figure)
      figure.written++
      const again = dialect.readCompletion(throughWire(dialect.writeCompletion(read, request)))
      if (JSON.stringify(sorted(again)) === JSON.stringify(sorted(read))) figure.same++
      else different.push(`${exchange.url}: ${JSON.stringify(again)}`)
    }
    const lines = [...figures].map(([name, { written, same }]) => `${name}: ${same} of ${written}`)
    console.log(`written anew: ${lines.join(', ')}\n  ${different.join('\n  ')}`)
    const total = [...figures.values()].reduce((sum, { written }) => sum + written, 0)
    expect(total).toBeGreaterThan(0.4 * corpus.length)
    // Some answers lack what a client insists on, such as the id of a call.
    expect(different.length / total).toBeLessThan(0.01)
  })
})

function requestOf(exchange: CorpusExchange): WireRequest {
  const bytes = bytesOf(exchange.request_body, exchange.request_body_encoding)
  return { method: exchange.method, url: addressOf(exchange), body: readBody(bytes) }
}

function responseOf({ status, response_headers: headers, ...row }: CorpusExchange): WireResponse {
  const type = String(headers?.['content-type'] ?? '')
  const bytes = bytesOf(row.response_body, row.response_body_encoding)
  return { status, headers: { 'content-type': type }, body: readBody(bytes, type) }
}

/** What is written goes to the application as bytes. */
function throughWire(response: WireResponse): WireResponse {
  const bytes = Buffer.concat(writeBody(response.body))
  return { ...response, body: readBody(bytes, response.headers['content-type']) }
}

function sorted(completion: object): unknown[] {
  return Object.entries(completion).toSorted(([one], [other]) => (one < other ? -1 : 1))
}
