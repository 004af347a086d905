import type { Exchange } from '../../cassette/format/cassette.ts'
import { encodeExchanges } from '../../cassette/format/encode-cassette.ts'
import { below } from '../../cassette/format/pointer.ts'
import type { StoredCassette } from '../../cassette/format/format.ts'
import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import { textsIn, textsOfPicture } from './picture-texts.ts'

/**
 * The texts in the files of a cassette, such as those in the metadata of its pictures, each at the first place of its file
 * in an exchange.
 *
 * @param exchanges the decoded exchanges of the same cassette
 */
export function textsOfPictures(
  stored: Pick<StoredCassette, 'exchanges'>,
  exchanges: readonly Exchange[],
): Array<{ pointer: string; text: string }> {
  const places = stored.exchanges.flatMap((exchange, index) => [
    ...placesIn(exchange as unknown as JsonValue, `/exchanges/${index}`),
  ])
  if (places.length === 0) return []
  const { blobs } = encodeExchanges(exchanges)
  const read = new Map<string, string>()
  return places.flatMap(([name, pointer]) => {
    const bytes = blobs.get(name)
    if (!read.has(name)) read.set(name, bytes ? textsOfFile(bytes) : '')
    const text = read.get(name)!
    return text === '' ? [] : [{ pointer, text }]
  })
}

function textsOfFile(bytes: Buffer): string {
  return [textsOfPicture(bytes), textsIn(bytes)].filter(Boolean).join('\n')
}

/** The names of the files below a value, with the first place of each. */
function placesIn(value: JsonValue, place: string): Map<string, string> {
  const places = new Map<string, string>()
  const visit = (one: JsonValue, pointer: string): void => {
    if (Array.isArray(one))
      for (const [index, item] of one.entries()) visit(item, below(pointer, String(index)))
    else if (isJsonObject(one)) {
      const { $blob: name } = one
      if (typeof name === 'string' && !places.has(name)) places.set(name, pointer)
      for (const [key, child] of Object.entries(one))
        if (child !== undefined) visit(child, below(pointer, key))
    }
  }
  visit(value, place)
  return places
}
