import { expect, test } from 'vitest'
import { VOLATILE_NAMES } from '../../src/config/volatile-rule.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { NAMED_RULES } from '../../src/prompt/named-rules.ts'
import { textOf } from '../../src/wire/body.ts'
import { readRequestBody } from '../../src/wire/read-body.ts'
import type { WireRequest } from '../../src/wire/message.ts'
import { addressOf, bytesOf, eachCorpus, type CorpusExchange } from '../corpus.ts'

eachCorpus((corpus) => {
  test('with all named rules on, only requests merge that differ in what these find', () => {
    const byHash = new Map<string, Map<string, WireRequest>>()
    for (const exchange of corpus) {
      const request = requestOf(exchange)
      const exact = readIncoming(request).hash
      const { hash } = readIncoming(request, { volatile: [...VOLATILE_NAMES] })
      const same = byHash.get(hash) ?? new Map<string, WireRequest>()
      byHash.set(hash, same.set(exact, request))
    }
    const merges = [...byHash.values()].filter((same) => same.size > 1)
    for (const same of merges) {
      const [first, ...others] = [...same.values()]
      for (const other of others) {
        console.log(`${first!.url}: ${differenceOf(textOf(first!.body), textOf(other.body))}`)
        expect(withoutValues(other)).toBe(withoutValues(first!))
      }
    }
    console.log(`${byHash.size} hashes, of which ${merges.length} stand for several requests`)
    expect(byHash.size).toBeGreaterThan(0.4 * corpus.length)
  })
})

/** A second opinion, on the raw text: everything but the values that the rules find. */
function withoutValues({ method, url, body }: WireRequest): string {
  // Ids of calls never count.
  let text = `${new URL(url).pathname} ${textOf(body)}`.replace(/"id":"fc_\w+"/g, '')
  for (const rule of Object.values(NAMED_RULES)) text = text.replace(rule, '')
  return `${method} ${text}`
}

/** The first place in which two texts differ. */
function differenceOf(one: string, other: string): string {
  let start = 0
  while (one[start] === other[start]) start++
  const cut = (text: string): string => text.slice(Math.max(0, start - 20), start + 40)
  return JSON.stringify([cut(one), cut(other)])
}

function requestOf(exchange: CorpusExchange): WireRequest {
  const bytes = bytesOf(exchange.request_body, exchange.request_body_encoding)
  return {
    method: exchange.method,
    url: addressOf(exchange),
    body: readRequestBody(bytes, 'application/json'),
  }
}
