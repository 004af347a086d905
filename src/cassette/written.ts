import type { JsonObject } from '../json/json-value.ts'
import { sha256 } from '../prompt/sha256.ts'
import type { WrittenExchange, WrittenResponse } from './cassette.ts'
import type { StoredExchange } from './format.ts'
import { restoreReadable, restoreText } from './stored-body.ts'

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

/** Encodes a written exchange, without optional fields that say nothing. */
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

/** The id of an exchange without an id of its own. */
export function idOfPlace(index: number): string {
  return `exchange-${index + 1}`
}

/** Hexadecimal, alone or behind the name of the algorithm. */
const HEX = /^(?:sha-?256\s*[-:=_]\s*)?([0-9a-f]{64})$/i

/** The form that browsers and package managers write. */
const BASE64 = /^(?:sha-?256\s*[-:=]\s*)?([\w+/-]{43}=?)$/i

/** The hash of the text of a user, which identifies an exchange that a person wrote. */
export function hashOfText(text: string): string {
  return `sha256-${sha256(text)}`
}

/** A hash in the spelling of this package, from any other spelling; `undefined` for a text that is no sha256. */
export function readHash(spelled: string): string | undefined {
  const hex = HEX.exec(spelled.trim())?.[1]
  if (hex) return `sha256-${hex.toLowerCase()}`
  const base64 = BASE64.exec(spelled.trim())?.[1]
  return base64 && `sha256-${Buffer.from(base64, 'base64url').toString('hex')}`
}
