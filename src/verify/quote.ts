import stableStringify from 'fast-json-stable-stringify'
import type { JsonValue } from '../json/json-value.ts'

/** The number of characters of a value that are quoted. */
const LENGTH = 60

/** A value as a finding quotes it. */
export function quote(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : stableStringify(value)
  return text.length > LENGTH ? `${text.slice(0, LENGTH)}…` : text
}
