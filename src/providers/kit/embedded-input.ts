import type { Message, Prompt } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import { bodyOf, readEnvelope } from './envelope.ts'
import type { Field } from '../fields.ts'
import { messageOf } from './messages.ts'

/** One message for each input of an embedding; an array of numbers is one text in tokens. */
export function readEmbeddedInput(input: Field): Message[] {
  if (input === undefined) return []
  const isList = Array.isArray(input) && typeof input[0] !== 'number'
  return (isList ? input : [input]).map((value) => messageOf('user', value))
}

/** Reads a prompt whose inputs are one field of its body. */
export function readInputPrompt(request: WireRequest, operation: string, field: string): Prompt {
  const messages = readEmbeddedInput(bodyOf(request)[field])
  const envelope = readEnvelope(request, operation, messages.length > 0 ? [field] : [])
  return { ...envelope, messages, tools: [] }
}
