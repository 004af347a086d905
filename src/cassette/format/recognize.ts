import { parseJson } from '../../json/json-value.ts'
import type { StoredCassette } from './format.ts'
import { isCassette } from './is-cassette.ts'

/**
 * Recognises the text of a cassette of recorded exchanges without loading the schema, which would take longer than
 * the rest of a replay. Returns `undefined` for any other text; the schema has to judge it.
 */
export function recognizeCassette(text: string): StoredCassette | undefined {
  try {
    const value: unknown = parseJson(text)
    return isCassette(value) && isOnlyRecorded(value as StoredCassette)
      ? (value as StoredCassette)
      : undefined
  } catch {
    return undefined
  }
}

/** Whether the recorded requests alone decide which answers a cassette gives. */
function isOnlyRecorded(cassette: StoredCassette): boolean {
  const { invalid, params, proposed_params: proposed, exchanges } = cassette
  const isPlain = (invalid ?? params ?? proposed) === undefined
  return isPlain && exchanges.every(({ wire }) => wire?.response && !wire.request.after)
}
