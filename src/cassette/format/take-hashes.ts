import type { StoredCassette, StoredExchange } from '../format.ts'

/** Takes the hashes out of exchanges, so that a changed word of a prompt changes no line of later exchanges. */
export function takeHashes(
  exchanges: readonly StoredExchange[],
): Pick<StoredCassette, 'exchanges' | 'hashes'> {
  const hashes: NonNullable<StoredCassette['hashes']> = {}
  const bare = exchanges.map((exchange): StoredExchange => {
    const { id, prompt, wire } = exchange
    // Of two exchanges with one id, the second keeps its hashes.
    if (!wire || prompt.hash === undefined || Object.hasOwn(hashes, id!)) return exchange
    const { hash, ...asked } = prompt
    const { hash: answer, ...answered } = wire.response ?? {}
    hashes[id!] = { prompt: hash, ...(answer === undefined ? {} : { answer }) }
    const response = wire.response ? { response: answered } : {}
    return { ...exchange, prompt: asked, wire: { ...wire, ...response } } as StoredExchange
  })
  return { exchanges: bare, ...(Object.keys(hashes).length > 0 ? { hashes } : {}) }
}
