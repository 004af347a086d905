import stableStringify from 'fast-json-stable-stringify'
import { TOLD_HEADERS } from '../../wire/answer-headers.ts'
import { withFileHash } from '../format/file-hash.ts'
import type { StoredCassette, StoredExchange } from '../format/format.ts'
import { parseCassette } from '../format/parse.ts'
import { printCassette } from '../format/print.ts'

/**
 * Dates and durations differ at every recording; they are news only where the answer is. Given the
 * old and the new text of a cassette, returns the new one with the old figures wherever an exchange
 * is the same, so that recording the same answers again changes no byte. Where only some changed, the date of
 * the oldest is kept; so is the mark of an invalid recording.
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
  const { exchanges: _, timestamp, oldest_answer: __, invalid = old.invalid, ...head } = fresh
  const oldest = changed ? dateOfKept(old, { ...fresh, exchanges }) : old.oldest_answer
  const settled = {
    ...head,
    timestamp: changed ? timestamp : old.timestamp,
    ...(oldest ? { oldest_answer: oldest } : {}),
    ...(invalid ? { invalid } : {}),
    exchanges,
  }
  return printCassette(withFileHash(settled))
}

/** The date of the oldest answer that is kept; `undefined` where all are new. A place or a prompt can change, and the answer stay. */
function dateOfKept(old: StoredCassette, fresh: StoredCassette): string | undefined {
  const known = new Set(answersOf(old))
  // Which of them is the oldest is not stored. At worst a recording passes for older than it is.
  return answersOf(fresh).some((hash) => known.has(hash))
    ? (old.oldest_answer ?? old.timestamp)
    : undefined
}

function answersOf({ exchanges }: StoredCassette): string[] {
  return exchanges.flatMap(({ wire }) => wire?.response?.hash ?? [])
}

/** All that an exchange says; what a provider tells beside it is another with each answer, and so is the hash of both. */
function content({ response, wire, ...rest }: StoredExchange): string {
  const { duration_ms: _, ...said } = response
  const { hash: __, headers = {}, ...answer } = wire?.response ?? {}
  const telling = Object.entries(headers).filter(([name]) => !TOLD.has(name))
  return stableStringify({ ...rest, response: said, request: wire?.request, answer, telling })
}

const TOLD = new Set<string>(TOLD_HEADERS)

/** A file that cannot be read has no figures worth keeping. */
function tryParse(text: string): StoredCassette | undefined {
  try {
    return parseCassette(text)
  } catch {
    return undefined
  }
}
