import type { JsonObject } from '../../json/json-value.ts'
import type { WrittenExchange, WrittenResponse } from '../cassette.ts'
import type { StoredExchange } from '../format.ts'
import { restoreReadable, restoreText } from '../stored-body.ts'

/** An exchange without a wire half, as a file holds it. */
export type StoredWrittenExchange = Extract<StoredExchange, { wire?: undefined }>

/** Decodes a written exchange. Without an id, it gets one from its place; without a text, an empty one. */
export function restoreWritten(
  { id, prompt, response }: StoredWrittenExchange,
  index: number,
): WrittenExchange {
  const { text = '', ...said } = response
  const metadata = (prompt.metadata ?? {}) as JsonObject
  return {
    id: id ?? idOfPlace(index),
    prompt: { ...prompt, text: restoreText(prompt.text), metadata },
    response: restoreReadable({ text, ...said } as JsonObject) as unknown as WrittenResponse,
  }
}

/** The id of an exchange without an id of its own. */
export function idOfPlace(index: number): string {
  return `exchange-${index + 1}`
}
