import type { Cassette } from '../cassette/format/cassette.ts'
import { decodeCassette } from '../cassette/format/decode-cassette.ts'
import type { StoredExchange } from '../cassette/format/format.ts'
import { parseCassette } from '../cassette/format/parse.ts'
import { OLDER_VERSION } from '../cassette/format/patterns.ts'
import { restoreText } from '../cassette/format/text-lines.ts'
import { hashOfText, readHash } from '../cassette/format/written-hash.ts'
import { idOfPlace } from '../cassette/format/written-exchange.ts'
import { quoteStart } from '../diff/render/printable.ts'
import { isOtherParams } from '../conversation/threads/written.ts'
import { CassetteError } from '../errors.ts'
import type { JsonObject } from '../json/json-value.ts'
import { withOurSpellings } from './other-spellings.ts'

/** A history file, converted to the spelling of this package. */
interface ReadHistory {
  cassette: Cassette
  /** The changes made by the conversion, one sentence each. */
  notes: string[]
}

/**
 * Reads a history file of any tool. Other spellings are converted to those of this package, each with a note.
 *
 * @param load reads a file of its `blobs` folder
 * @param isRefused whether to replace every hash that is not that of its text, as a run refused it
 * @throws CassetteError `invalid-cassette`; its message is the problem without advice.
 */
export function readHistory(
  text: string,
  load: (name: string) => Buffer,
  isRefused: boolean = false,
): ReadHistory {
  const notes: string[] = []
  const stored = parseCassette(withOurSpellings(text, notes))
  if (stored.exchanges.length === 0)
    throw new CassetteError(
      'invalid-cassette',
      'its list of exchanges is empty; there is nothing to replay',
    )
  // In later versions a hash may be that of a whole request, which cannot be checked without the request.
  const keepsRequests = stored.version !== OLDER_VERSION && !isRefused
  const exchanges = stored.exchanges.map((exchange, index) =>
    withOurHash(exchange, index, notes, keepsRequests),
  )
  return { cassette: decodeCassette({ ...stored, exchanges }, load), notes }
}

/** Replaces a hash by which a hand-written exchange cannot be matched with the hash of its text. */
function withOurHash(
  exchange: StoredExchange,
  index: number,
  notes: string[],
  keepsRequests: boolean,
): StoredExchange {
  if (exchange.wire) return exchange
  const { prompt } = exchange
  const id = exchange.id ?? idOfPlace(index)
  const metadata = Object.entries((prompt.metadata ?? {}) as JsonObject)
  if (metadata.some(([name, value]) => isOtherParams(name, value)))
    notes.push(`${id}: other_params stands for further parameters; none of these is compared.`)
  if (prompt.hash === undefined) return exchange
  const ours = hashOfText(restoreText(prompt.text))
  const read = readHash(prompt.hash)
  if (prompt.hash === ours || (read === prompt.hash && keepsRequests)) return exchange
  const given = `the hash ${quoteStart(prompt.hash)}`
  const why = read ? 'is not that of its text' : 'is none'
  notes.push(
    read === ours
      ? `${id}: ${given} is now spelled ${ours}.`
      : `${id}: ${given} ${why}; that of its text is in its place: ${ours}.`,
  )
  return { ...exchange, prompt: { ...prompt, hash: ours } }
}
