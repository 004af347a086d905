import type { Exchange } from '../../cassette/format/cassette.ts'
import type { Message, Part, Prompt } from '../../prompt/prompt.ts'
import {
  isOneUser,
  isSame,
  saysContext,
  statementsOfBoth,
  type Statement,
} from './written-context.ts'

/**
 * The messages for which a context was written, to show how a prompt differs from it. They are those of the prompt,
 * with the words, parameters and results of the context where these differ. What is not compared stays as it is.
 */
export function contextForDiff(
  exchange: Exchange,
  earlier: readonly Exchange[],
  asked: Prompt,
): Message[] {
  if (saysContext(exchange, earlier, asked)) return asked.messages
  const [said, heard] = statementsOfBoth(exchange, earlier, asked)
  const partners = pair(said, heard)
  const edits = new Edits()
  const kept = new Set(partners)
  for (const other of heard) if (!kept.has(other)) edits.leaveOut(other)
  for (const [index, one] of said.entries()) {
    const other = partners[index]
    if (other && !isSame(one, other)) edits.rewrite(one, other)
  }
  const compared = new Set(heard.flatMap(({ messages }) => messages))
  const free = asked.messages.filter((message) => !compared.has(message))
  const meant = said.map((one, index) => {
    const other = partners[index]
    return other ? edits.messagesLeft(other) : plainMessages(one)
  })
  return inOrder(meant, free, asked.messages).flatMap((message) => edits.apply(message))
}

/** The messages of the statements, in their order, with the free ones where the prompt has them. */
function inOrder(
  meant: ReadonlyArray<readonly Message[]>,
  free: readonly Message[],
  all: readonly Message[],
): Message[] {
  const places = new Map(all.map((message, place) => [message, place]))
  const left = [...free]
  const ordered = new Set<Message>()
  for (const message of meant.flat()) {
    const place = places.get(message) ?? -1
    while (left.length > 0 && places.get(left[0]!)! < place) ordered.add(left.shift()!)
    ordered.add(message)
  }
  return [...ordered, ...left]
}

/** The statement of a prompt that stands for each statement of a context: the same one, or a changed one in its place. */
function pair(
  said: readonly Statement[],
  heard: readonly Statement[],
): Array<Statement | undefined> {
  const partners: Array<Statement | undefined> = said.map(() => undefined)
  let first = 0
  while (first < said.length && first < heard.length && isSame(said[first]!, heard[first]!)) {
    partners[first] = heard[first]
    first++
  }
  const left = heard.slice(first)
  const take = (place: number): Statement | undefined =>
    place < 0 ? undefined : left.splice(place, 1)[0]
  for (let index = said.length - 1; index >= first; index--)
    partners[index] = take(left.findLastIndex((other) => isSame(said[index]!, other)))
  const places = new Map(heard.map((one, place) => [one, place]))
  let after = -1
  const takeChanged = (one: Statement, next: Statement | undefined): Statement | undefined => {
    const before = next ? places.get(next)! : heard.length
    const between = left.filter(
      (other) => other.who === one.who && places.get(other)! > after && places.get(other)! < before,
    )
    const chosen = between.find((other) => isNamesake(one, other)) ?? between[0]
    return chosen && take(left.indexOf(chosen))
  }
  return said.map((one, index) => {
    const next = partners.find((other, at) => at > index && other)
    const partner = partners[index] ?? takeChanged(one, next)
    if (partner) after = places.get(partner)!
    return partner
  })
}

function isNamesake(said: Statement, heard: Statement): boolean {
  return said.who === 'call' && heard.who === 'call' && said.name === heard.name
}

/** The parts and names of a context that replace those of a prompt. */
class Edits {
  readonly #parts: Map<Part, Part[]> = new Map()
  readonly #names: Map<Message, string> = new Map()
  readonly #added: Map<Message, Message[]> = new Map()

  leaveOut({ parts }: Statement): void {
    for (const part of parts) this.#parts.set(part, [])
  }

  /** Puts the content of a statement in the place of another one. */
  rewrite(said: Statement, heard: Statement): void {
    if (said.who === 'call') return this.#rewriteCall(said, heard)
    const whole: Part = { type: 'text', text: said.text }
    // Keeps as many texts apart as the prompt has, so that the diff shows only the changed one.
    const texts = said.parts.length === heard.parts.length ? said.parts : [whole]
    for (const [index, part] of heard.parts.entries())
      this.#parts.set(part, texts.slice(index, index + 1))
    const userId = heard.who === 'call' ? undefined : heard.userId
    if (said.userId === undefined || isOneUser(said.userId, userId)) return
    for (const message of heard.messages) this.#names.set(message, said.userId)
  }

  #rewriteCall(said: Statement, heard: Statement): void {
    const [call, result] = said.parts
    const [sent, returned] = heard.parts
    this.#parts.set(sent!, [{ ...sent, ...call } as Part])
    if (!result) return
    if (returned) this.#parts.set(returned, [{ ...returned, ...result } as Part])
    else this.#added.set(heard.messages.at(-1)!, [{ role: 'tool', parts: [result] }])
  }

  /** The messages that still hold a part of a statement. */
  messagesLeft({ messages, parts }: Statement): Message[] {
    const left = new Set(parts.filter((part) => this.#parts.get(part)?.length !== 0))
    return messages.filter((message) => message.parts.some((part) => left.has(part)))
  }

  /** A message with its edits, and those that come after it; nothing where no part of it is left. */
  apply(message: Message): Message[] {
    const parts = message.parts.flatMap((part) => this.#parts.get(part) ?? part)
    const name = this.#names.get(message)
    const extra = name === undefined ? {} : { extra: { ...message.extra, name } }
    const isEmpty = parts.length === 0 && message.parts.length > 0
    return [
      ...(isEmpty ? [] : [{ ...message, parts, ...extra }]),
      ...(this.#added.get(message) ?? []),
    ]
  }
}

function plainMessages(said: Statement): Message[] {
  if (said.who !== 'call') {
    const { who, parts, userId } = said
    return [{ role: who, parts, ...(userId === undefined ? {} : { extra: { name: userId } }) }]
  }
  const [call, ...results] = said.parts
  const called: Message = { role: 'assistant', parts: [call!] }
  return [called, ...results.map((result): Message => ({ role: 'tool', parts: [result] }))]
}
