import { WholeWords } from '../engine/whole-words.ts'
import { replaceSpans, type TextSpan } from '../json/text-span.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { replaceTexts } from '../wire/replace-texts.ts'

/** A text can contain values shorter than this by chance. */
const MIN_LENGTH = 9

/**
 * Maps the names in a new recording to the old ones: ids, and declared volatile values. If an answer keeps its old
 * names, all later messages that contain the new names are stored with the old ones as well.
 */
export class Names {
  readonly #old: Map<string, string> = new Map()
  /** The names that differ from the old ones. */
  readonly #changed: WholeWords = new WholeWords()
  /** The exchanges that a name comes from. */
  readonly #owners: Map<string, Set<number>> = new Map()

  /** Whether a name can be told from an ordinary word wherever it stands. */
  static isTelling(name: string): boolean {
    return name.length >= MIN_LENGTH && /\d|[a-z][A-Z]|[A-Z][a-z]/.test(name)
  }

  /**
   * Notes the old name for a new name in an exchange. Both are equal where the exchange keeps the new name.
   *
   * @returns the exchanges with this name if it has two different old names; none of them can keep its old names
   */
  add(name: string, old: string, exchange: number): number[] {
    const owners = this.#owners.get(name) ?? new Set()
    this.#owners.set(name, owners.add(exchange))
    const known = this.#old.get(name)
    if (known !== undefined && known !== old) return [...owners]
    this.#set(name, old)
    const [ours, theirs] = [name, old].map(respelled)
    for (const [index, spelled] of ours!.entries())
      if (!this.#old.has(spelled)) this.#set(spelled, theirs![index] ?? old)
    return []
  }

  #set(name: string, old: string): void {
    this.#old.set(name, old)
    if (name !== old) this.#changed.set(name, old)
  }

  /** A message of the new recording with the old names. */
  undo<Message extends WireRequest | WireResponse>(message: Message): Message {
    if (this.#changed.size === 0) return message
    const find = (text: string): TextSpan[] => this.#changed.find(text)
    const body = replaceTexts(message.body, find)
    if (!('url' in message)) return body === message.body ? message : { ...message, body }
    const url = replaceSpans(message.url, find(message.url))
    return body === message.body && url === message.url ? message : { ...message, url, body }
  }
}

/** The other spellings in which clients send base64 back: that of Gemini comes back as base64url. */
function respelled(value: string): string[] {
  if (!/^[A-Za-z0-9+/]{16,}={0,2}$/.test(value)) return []
  const safe = value.replaceAll('+', '-').replaceAll('/', '_')
  return [safe, safe.replace(/=+$/, ''), value.replace(/=+$/, '')]
}
