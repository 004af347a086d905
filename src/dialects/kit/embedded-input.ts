import type { JsonValue } from '../../json/json-value.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import type { Field } from './fields.ts'

/** One message for each input of an embedding; an array of numbers is one text in tokens. */
export function readEmbeddedInput(input: Field): Message[] {
  if (input === undefined) return []
  const isList = Array.isArray(input) && typeof input[0] !== 'number'
  return (isList ? input : [input]).map(readInput)
}

function readInput(value: JsonValue): Message {
  const part: Part =
    typeof value === 'string' ? { type: 'text', text: value } : { type: 'other', value }
  return { role: 'user', parts: [part] }
}
