import stableStringify from 'fast-json-stable-stringify'
import type { Message, Prompt } from '../../prompt/prompt.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { rememberFor } from '../../remember.ts'

/** The messages of a prompt, with keys to find them in another prompt. */
export interface KeyedMessages {
  /** Instructions at its beginning, which applications keep when they drop the rest. */
  system: Message[]
  systemKey: string
  messages: Message[]
  /** One key for each message; equal for messages that say the same. */
  keys: string[]
}

/** Splits a prompt into its instructions and messages. Remembers that, as each later prompt is compared with it. */
export const keyMessages: (prompt: Prompt) => KeyedMessages = rememberFor(({ messages }) => {
  const first = messages.findIndex((message) => !isSystem(message))
  const length = first < 0 ? messages.length : first
  const said = messages.slice(length)
  return {
    system: messages.slice(0, length),
    systemKey: messages.slice(0, length).map(keyOf).join(),
    messages: said,
    keys: said.map(keyOf),
  }
})

export function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer'
}

export function isAssistant({ role }: Message): boolean {
  return role === 'assistant' || role === 'model'
}

/** Leaves out hints such as `cache_control`, which move, and reasoning, which later requests lack. */
function keyOf({ role, parts }: Message): string {
  return sha256(stableStringify([role, parts.filter((part) => part.type !== 'reasoning')]))
}
