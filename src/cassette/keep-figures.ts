import stableStringify from 'fast-json-stable-stringify'
import type { StoredCassette, StoredExchange } from './format.ts'
import { parseCassette } from './parse.ts'
import { printCassette } from './print.ts'

/**
 * Dates and durations differ at every recording; they are news only where the answer is. Given the
 * old and the new text of a cassette, returns the new one with the old figures wherever an exchange
 * is the same, so that recording the same answers again changes no byte.
 */
export function keepFigures(oldText: string, newText: string): string {
  const old = tryParse(oldText)
  if (!old) return newText
  const fresh = parseCassette(newText)
  let changed = old.exchanges.length !== fresh.exchanges.length
  const exchanges = fresh.exchanges.map((exchange, index) => {
    const earlier = old.exchanges[index]
    if (earlier && content(earlier) === content(exchange)) return earlier
    changed = true
    return exchange
  })
  const timestamp = changed ? fresh.timestamp : old.timestamp
  return printCassette({ ...fresh, timestamp, exchanges })
}

function content({ response, ...rest }: StoredExchange): string {
  const { duration_ms: _, ...said } = response
  return stableStringify({ ...rest, response: said })
}

/** A file that cannot be read has no figures worth keeping. */
function tryParse(text: string): StoredCassette | undefined {
  try {
    return parseCassette(text)
  } catch {
    return undefined
  }
}
