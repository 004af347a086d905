import { contentOf } from './context/context-content.ts'
import type { ContextEntry } from './context/context-entry.ts'
import { readableTime } from './context/iso-time.ts'
import type { Entry } from './entry.ts'

/** Turns the entries of a context into entries of a conversation, placed in the exchange that they belong to. */
export function entriesOfContext(context: readonly ContextEntry[], exchange: string): Entry[] {
  return context.map((written): Entry => {
    const { role, turn } = written
    const { text, userId, reasoning, call, result, extra } = contentOf(written)
    const time = readableTime(written.timestamp)
    const place = { turn, time, exchange, written, ...(extra ? { extra } : {}) }
    if (role !== 'assistant')
      return { role, parts: [{ type: 'text', text }], ...(userId ? { userId } : {}), ...place }
    const called = call ? [{ ...call, ...(result === undefined ? {} : { result }) }] : []
    return { role, text, ...(reasoning ? { reasoning } : {}), calls: called, ...place }
  })
}
