import { expect, test } from 'vitest'
import { readIncoming } from '../../src/engine/incoming.ts'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import { addressOf, bytesOf, eachCorpus, type CorpusExchange } from '../corpus.ts'
import { alter, pathsIn, type Path } from '../providers/variants.ts'

/** Leaves that are edited of each request, spread over it. */
const LEAVES = 20
/** Longer bodies hold pictures, whose few fields are no others. */
const MAX_LENGTH = 30_000

/** Where the requests of the corpus name calls. */
const CALL =
  /^(?:messages\.\d+\.(?:tool_calls\.\d+\.id|tool_call_id|content\.\d+\.(?:id|tool_use_id|toolUse\.toolUseId|toolResult\.toolUseId))|input\.\d+\.(?:call_id|id)|contents\.\d+\.parts\.\d+\.function_?(?:[cC]all|[rR]esponse)\.id)$/

eachCorpus((corpus) => {
  const requests = corpus.flatMap((exchange) => {
    const text = bytesOf(exchange.request_body, exchange.request_body_encoding).toString()
    const body = text.length <= MAX_LENGTH && text.startsWith('{') ? parsed(text) : undefined
    return body
      ? [{ exchange, body, paths: pathsIn(body).filter((path) => isLeaf(body, path)) }]
      : []
  })

  test('a change of any leaf is another hash', () => {
    let edits = 0
    for (const { exchange, body, paths } of requests) {
      const hash = hashOf(exchange, body)
      const counting = paths.filter((path) => !CALL.test(path.join('.')))
      const step = Math.max(1, Math.floor(counting.length / LEAVES))
      for (let at = 0; at < counting.length; at += step) {
        const path = counting[at]!
        edits++
        expect(
          hashOf(exchange, alter(body, path, other)),
          `${exchange.url} ${path.join('.')}`,
        ).not.toBe(hash)
      }
    }
    console.log(`${edits} leaves of ${requests.length} requests were changed`)
  })

  test('other ids of all calls are the same hash, and one of two is not', () => {
    let renumbered = 0
    for (const { exchange, body, paths } of requests) {
      const named = paths.filter((path) => CALL.test(path.join('.')) && namesCall(body, path))
      if (named.length === 0) continue
      const hash = hashOf(exchange, body)
      const far = resultsOfFarCalls(body, named)
      for (const path of far)
        expect(hashOf(exchange, alter(body, path, other)), exchange.url).not.toBe(hash)
      const calls = named.filter((path) => !far.includes(path))
      if (calls.length === 0) continue
      renumbered++
      const all = calls.reduce(
        (copy, path) => alter(copy, path, (id) => `new-${id as string}`),
        body,
      )
      expect(hashOf(exchange, all), exchange.url).toBe(hash)
      const twice = calls.find(
        (path) => calls.filter((each) => valueAt(body, each) === valueAt(body, path)).length > 1,
      )
      if (twice)
        expect(
          hashOf(
            exchange,
            alter(body, twice, () => 'new'),
          ),
          exchange.url,
        ).not.toBe(hash)
    }
    console.log(`the calls of ${renumbered} requests were named anew`)
    expect(renumbered).toBeGreaterThan(requests.length / 10)
  })
})

/** An item of OpenAI's responses has an id of its own; that of a function's call is renewed with it. */
function namesCall(body: JsonObject, path: Path): boolean {
  const owner = valueAt(body, path.slice(0, -1)) as JsonObject
  if (typeof valueAt(body, path) !== 'string') return false
  // What the provider calls itself, such as google_search, keeps its ids.
  if (String(owner.type).startsWith('google_')) return false
  return path[0] !== 'input' || path.at(-1) === 'call_id' || owner.type === 'function_call'
}

/** Where results stand whose call lies at the provider: their ids count, since they alone say which call is answered. */
function resultsOfFarCalls(body: JsonObject, named: readonly Path[]): Path[] {
  const isResult = (path: Path): boolean =>
    /_output$|^function_result$/.test(String((valueAt(body, path.slice(0, -1)) as JsonObject).type))
  const made = new Set(named.filter((path) => !isResult(path)).map((path) => valueAt(body, path)))
  return named.filter((path) => isResult(path) && !made.has(valueAt(body, path)))
}

function hashOf(exchange: CorpusExchange, body: JsonObject): string {
  const url = addressOf(exchange)
  return readIncoming({ method: exchange.method, url, body: readText(JSON.stringify(body)) }).hash
}

function other(value: JsonValue): JsonValue {
  if (typeof value === 'string') return `${value}!`
  if (typeof value === 'number') return value + 1
  return value === null ? 0 : !value
}

function isLeaf(body: JsonObject, path: Path): boolean {
  const value = valueAt(body, path)
  return typeof value !== 'object' || value === null
}

function valueAt(body: JsonObject, path: Path): JsonValue {
  return path.reduce<JsonValue>((value, key) => (value as JsonObject)[key]!, body)
}

function parsed(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    return undefined
  }
}
