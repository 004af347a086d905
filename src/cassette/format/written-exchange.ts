import type { JsonObject } from '../../json/json-value.ts'
import type { WrittenExchange, WrittenResponse } from './cassette.ts'
import { readReadable, readText } from './text-lines.ts'
import type { StoredExchange } from './format.ts'

/** An exchange without a wire half, as a file holds it. */
export type StoredWrittenExchange = Extract<StoredExchange, { wire?: undefined }>

/** Turns what a person wrote into an exchange: what they left out gets its place as id, and no text. */
export function readWritten(
  { id, prompt, response }: StoredWrittenExchange,
  index: number,
): WrittenExchange {
  const { text = '', ...said } = response
  const metadata = (prompt.metadata ?? {}) as JsonObject
  return {
    id: id ?? idOfPlace(index),
    prompt: { ...prompt, text: readText(prompt.text), metadata },
    response: readReadable({ text, ...said } as JsonObject) as unknown as WrittenResponse,
  }
}

/** Turns it back, without what nobody had to write. */
export function storeWritten(
  { id, prompt, response }: Omit<WrittenExchange, 'wire'>,
  index: number,
): StoredWrittenExchange {
  const { metadata, ...asked } = prompt
  const { text, ...said } = response
  const saysElse = said.tool_calls !== undefined || said.error !== undefined
  return {
    ...(id === idOfPlace(index) ? {} : { id }),
    prompt: { ...asked, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) },
    response: { ...(text === '' && saysElse ? {} : { text }), ...said },
  }
}

/** The id of an exchange that has no name of its own. */
export function idOfPlace(index: number): string {
  return `exchange-${index + 1}`
}
