import type { Cassette, Exchange } from '../../cassette/cassette.ts'
import { diffFields } from '../../diff/diff-json.ts'
import type { PromptChange } from '../../diff/prompt-change.ts'
import { readIncoming } from '../../engine/incoming.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { defined } from '../../providers/fields.ts'
import type { WireRequest } from '../../wire/message.ts'
import type { ReadExchange } from './read-exchanges.ts'

/**
 * The address of a request as it is compared, by the names that a failure has for its parts too: no port, no account, no
 * key. Without what an imported file did not tell.
 */
export function askedAddress(
  request: WireRequest,
): Partial<Record<'method' | 'endpoint' | 'path', string>> & { query: string[] } {
  const {
    method,
    endpoint,
    path,
    query = [],
  } = readIncoming({
    ...request,
    body: { kind: 'empty' },
  }).canonical
  const unknown = request.imported?.unknown ?? []
  return defined({
    method: unknown.includes('method') ? undefined : method,
    endpoint: unknown.includes('host') ? undefined : endpoint,
    path: unknown.includes('path') ? undefined : path,
    query,
  })
}

/**
 * The changes of the address of a request, without those that say again what changed elsewhere: the provider, the model
 * in the path, an id that an earlier answer made up.
 */
export function diffAddresses(before: ReadExchange, after: ReadExchange): PromptChange[] {
  const [one, other] = [before, after].map(withoutMadeUpIds)
  if (!one || !other) return []
  const isOtherProvider = before.prompt.provider !== after.prompt.provider
  const names = Object.keys(one).filter(
    (name) => name in other && !(isOtherProvider && name === 'endpoint'),
  )
  return names.flatMap((name) => diffFields(one[name], other[name], name))
}

function withoutMadeUpIds({ exchange, prompt, cassette }: ReadExchange): JsonObject | undefined {
  if (!exchange.wire) return undefined
  const { model } = prompt
  const told = answersBefore(exchange, cassette)
  const plain = (text: string): string =>
    text.replaceAll(/[^/=&?:]+/g, (word) => {
      if (word === model || decode(word) === model) return '{model}'
      return word.length >= MIN_ID && /\d/.test(word) && told().includes(word) ? '{id}' : word
    })
  const { path, query, ...rest } = askedAddress(exchange.wire.request)
  return defined({
    ...rest,
    path: path && plain(path),
    query: query.map(plain),
  }) as JsonObject
}

/** A shorter word stands in an answer by chance. */
const MIN_ID = 6

/** The text of all answers before an exchange, made when it is asked for. */
function answersBefore(exchange: Exchange, { exchanges }: Cassette): () => string {
  let text: string | undefined
  return () =>
    (text ??= exchanges
      .slice(0, exchanges.indexOf(exchange))
      .map(({ wire, response }) => JSON.stringify(wire?.response ?? response))
      .join('\n'))
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
