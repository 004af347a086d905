import type { Message } from '../../prompt/prompt.ts'
import type { Field } from './fields.ts'
import { say } from './messages.ts'

/** One message for each input of an embedding; an array of numbers is one text in tokens. */
export function readEmbeddedInput(input: Field): Message[] {
  if (input === undefined) return []
  const isList = Array.isArray(input) && typeof input[0] !== 'number'
  return (isList ? input : [input]).map((value) => say('user', value))
}
