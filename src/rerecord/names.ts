import { WholeWords } from '../engine/whole-words.ts'
import { replaceSpans, type TextSpan } from '../json/text-span.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { replaceTexts } from '../wire/replace-texts.ts'

/** Of values shorter than this, or of one kind of letter, a text can hold one by chance. */
const MIN_LENGTH = 9

/**
 * What the old recording calls what a new one has other names for: ids, and declared volatile values. Where an answer keeps
 * its old names, all that the application said of them afterwards has to be stored with these as well.
 */
export class Names {
  readonly #old: Map<string, string> = new Map()
  /** Those that are another name than before. */
  readonly #changed: WholeWords = new WholeWords()
  /** The exchanges that a name comes from. */
  readonly #owners: Map<string, Set<number>> = new Map()

  /** Whether a name can be told from an ordinary word wherever it stands. */
  static isTelling(name: string): boolean {
    return name.length >= MIN_LENGTH && /\d|[a-z][A-Z]|[A-Z][a-z]/.test(name)
  }

  /**
   * Notes that an exchange calls something by a new name that had an old one, or that it is to keep its new name.
   *
   * @returns the exchanges that call something else so; none of them can keep its old names
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

/** How clients spell base64 that they send back: Gemini's come back as base64url. */
function respelled(value: string): string[] {
  if (!/^[A-Za-z0-9+/]{16,}={0,2}$/.test(value)) return []
  const safe = value.replaceAll('+', '-').replaceAll('/', '_')
  return [safe, safe.replace(/=+$/, ''), value.replace(/=+$/, '')]
}
