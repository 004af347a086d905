import stableStringify from 'fast-json-stable-stringify'
import type { Completion } from '../prompt/completion.ts'
import { type Message, type Part, type Prompt, isAssistant, isSystem } from '../prompt/prompt.ts'
import { sha256 } from '../prompt/sha256.ts'
import { rememberFor } from '../remember.ts'
import { commonStart } from '../text/common-ends.ts'
import { messageBefore } from '../wire/socket-frames.ts'
import { idsAfter, idsBefore, type Step } from './step.ts'
import { jsonKey } from '../prompt/json-key.ts'

/** One conversation among the exchanges of a test. */
export interface Thread<S extends Step = Step> {
  /** `thread-1`, `thread-2`, … in the order in which they begin. */
  id: string
  /** The thread and the number of the step that this thread branches from. */
  branchOf?: { thread: string; step: number }
  steps: Array<LinkedStep<S>>
}

/** A step, with the messages that it adds to its thread. */
export interface LinkedStep<S extends Step = Step> {
  step: S
  /** The step that it continues: in its thread, or in the thread that its thread branches from. */
  before?: LinkedStep<S>
  /** The new messages, including instructions that are new or have changed. */
  fresh: Message[]
  /** The number of messages that the prompt before had and that the application dropped. */
  dropped: number
}

/** A linked step, with its position for later steps. */
interface Place<S extends Step> extends LinkedStep<S> {
  spoken: Spoken
  /** The index of its thread. */
  thread: number
  /** Its index in the thread. */
  position: number
  before?: Place<S>
}

interface Link<S extends Step> {
  place: Place<S>
  found: Continuation
}

/**
 * Links exchanges into conversations: by the ids of histories that the provider stores, by the
 * messages that a prompt has in common with an earlier one, and by the answer that it repeats.
 * Requests that share nothing but their instructions are conversations of their own.
 */
export function linkThreads<S extends Step>(steps: readonly S[]): Array<Thread<S>> {
  const threads = new Threads<S>()
  for (const step of steps) threads.add(step)
  return threads.list
}

/** Conversations that grow by one step after the other. */
export class Threads<S extends Step> {
  readonly list: Array<Thread<S>> = []
  readonly #lasts: Array<Place<S>> = []
  readonly #places: PlaceIndex<Place<S>> = new PlaceIndex()
  /** The index of the thread that has an id; of several, the one that began last. */
  readonly #byId: Map<string, number> = new Map()

  /** Links one more step. */
  add(step: S): LinkedStep<S> {
    const spoken = spokenOf(step)
    const link = this.#linkOf(spoken)
    const goesOn = link && this.#isEnd(link.place)
    const thread = goesOn ? link.place.thread : this.#begin(link?.place)
    const found = link?.found ?? { fresh: spoken.dialog.messages, dropped: 0 }
    const isSame = link?.place.spoken.dialog.systemKey === spoken.dialog.systemKey
    const { steps } = this.list[thread]!
    const place: Place<S> = {
      step,
      fresh: isSame ? found.fresh : [...spoken.dialog.system, ...found.fresh],
      dropped: found.dropped,
      ...(link ? { before: link.place } : {}),
      spoken,
      thread,
      position: steps.length,
    }
    steps.push(place)
    this.#lasts[thread] = place
    this.#places.add(place)
    this.#addIds(step, thread)
    return place
  }

  /** The step that another one would continue. */
  before(step: S): LinkedStep<S> | undefined {
    return this.#linkOf(spokenOf(step))?.place
  }

  /** Replaces a step that waited for its answer by one whose answer has arrived. */
  renew(linked: LinkedStep<S>, step: S): void {
    const place = linked as Place<S>
    this.#places.delete(place)
    place.step = step
    place.spoken = spokenOf(step)
    this.#places.add(place)
    this.#addIds(step, place.thread)
  }

  #isEnd(place: Place<S>): boolean {
    return this.#lasts[place.thread] === place
  }

  #begin(trunk: Place<S> | undefined): number {
    const thread: Thread<S> = { id: `thread-${this.list.length + 1}`, steps: [] }
    if (trunk) thread.branchOf = { thread: this.list[trunk.thread]!.id, step: trunk.position + 1 }
    return this.list.push(thread) - 1
  }

  #addIds(step: S, thread: number): void {
    for (const id of idsAfter(step))
      if ((this.#byId.get(id) ?? -1) < thread) this.#byId.set(id, thread)
  }

  /** The link to the end of a thread that a step continues, or else to the earlier step that it branches from. */
  #linkOf(next: Spoken): Link<S> | undefined {
    const places = Map.groupBy(this.#places.find(next), (place) => this.#isEnd(place))
    return (
      this.#linkById(next) ??
      bestOf(places.get(true) ?? [], next) ??
      bestOf(places.get(false) ?? [], next)
    )
  }

  #linkById(next: Spoken): Link<S> | undefined {
    const threads = idsBefore(next.step).flatMap((id) => this.#byId.get(id) ?? [])
    const place = this.#lasts[threads.reduce((one, other) => Math.max(one, other), -1)]
    if (!place) return undefined
    // A history that the provider stores is not sent, unless the application sends it as well.
    const { wire } = next.step
    const isSent = !wire || messageBefore(wire.request) === undefined
    const found = (isSent && continues(place.spoken, next)) || {
      echoes: false,
      overlap: 0,
      dropped: 0,
      fresh: next.dialog.messages,
    }
    return { place, found }
  }
}

/** The best link; of equally good ones, that of the thread that began first. */
function bestOf<S extends Step>(places: Iterable<Place<S>>, next: Spoken): Link<S> | undefined {
  let best: (Link<S> & { score: number[] }) | undefined
  for (const place of places) {
    const found = continues(place.spoken, next)
    if (!found) continue
    const score = [found.echoes ? 1 : 0, found.overlap, place.position, -place.thread]
    if (!best || compare(score, best.score) > 0) best = { place, found, score }
  }
  return best
}

function compare(one: number[], other: number[]): number {
  for (const [index, value] of one.entries()) {
    if (value !== other[index]) return value - other[index]!
  }
  return 0
}

/** The steps that a step continues, the nearest first. */
export function stepsBefore<S extends Step>(linked: LinkedStep<S>): S[] {
  const steps: S[] = []
  for (let { before } = linked; before; { before } = before) steps.push(before.step)
  return steps
}

/**
 * Indexes places of conversations by traces. A prompt that continues a place holds one of them: the end of the
 * prompt there, the answer, or the result of one of its calls. A prompt is therefore compared with few places,
 * however many there are.
 */
class PlaceIndex<Place extends { spoken: Spoken }> {
  readonly #places: Map<string, Set<Place>> = new Map()

  add(place: Place): void {
    for (const trace of tracesLeftBy(place.spoken)) {
      const known = this.#places.get(trace)
      if (known) known.add(place)
      else this.#places.set(trace, new Set([place]))
    }
  }

  delete(place: Place): void {
    for (const trace of tracesLeftBy(place.spoken)) this.#places.get(trace)?.delete(place)
  }

  /** Every place that a prompt can continue, and some that it does not. */
  find(next: Spoken): Set<Place> {
    return new Set(tracesIn(next).flatMap((trace) => [...(this.#places.get(trace) ?? [])]))
  }
}

/** The traces by which a later prompt shows that it continues this one; see `continues`. */
function tracesLeftBy(spoken: Spoken): string[] {
  const { text, toolCalls } = spoken.step.completion
  const last = keysBeforeAnswer(spoken.dialog).at(-1)
  return [
    ...(last === undefined ? [] : [`end ${last}`]),
    ...(last !== undefined && isFailed(spoken) ? [`again ${last}`] : []),
    ...(text === '' ? [] : [`text ${text.trim()}`]),
    ...toolCalls.flatMap(({ id, name, arguments: args }) => {
      const call = `${name} ${jsonKey(args)}`
      return id === undefined ? [`nameless ${call}`] : [`id ${id}`, `named ${call}`]
    }),
  ]
}

function tracesIn({ dialog: { messages, keys } }: Spoken): string[] {
  return [
    ...keys.map((key, index) => (index < keys.length - 1 ? `end ${key}` : `again ${key}`)),
    ...messages.flatMap((message) =>
      message.parts.flatMap((part) => tracesOfPart(part, isAssistant(message))),
    ),
  ]
}

function tracesOfPart(part: Part, isAnswer: boolean): string[] {
  if (part.type === 'tool_call_response') return part.id === undefined ? [] : [`id ${part.id}`]
  if (!isAnswer) return []
  if (part.type === 'text') return [`text ${part.text.trim()}`]
  if (part.type !== 'tool_call') return []
  const call = `${part.name} ${jsonKey(part.arguments)}`
  return part.id === undefined
    ? [`nameless ${call}`, `named ${call}`]
    : [`id ${part.id}`, `nameless ${call}`]
}

/** The way in which a prompt continues an earlier exchange. */
interface Continuation {
  /** True if the prompt repeats the answer of the model to the earlier one. */
  echoes: boolean
  /** The number of messages that both prompts have in common before the new ones. */
  overlap: number
  /** How many messages of the earlier prompt are no longer sent. */
  dropped: number
  /** The new messages, without the repeated answer. */
  fresh: Message[]
}

/** An exchange, with its prompt split up into a dialog. */
interface Spoken {
  step: Step
  dialog: KeyedMessages
}

/** Splits up the prompt of a step. */
function spokenOf<S extends Step>(step: S): { step: S; dialog: KeyedMessages } {
  return { step, dialog: keyMessages(step.prompt) }
}

/**
 * Decides whether `next` continues `previous`: it has the end of the earlier prompt, or its answer, and then
 * new messages. The beginning may be dropped, or replaced by a summary.
 */
function continues(previous: Spoken, next: Spoken): Continuation | undefined {
  const { completion } = previous.step
  const keys = keysBeforeAnswer(previous.dialog)
  const overlaps = findOverlaps(keys, next.dialog.keys).map(({ end, length }) => {
    const rest = next.dialog.messages.slice(end)
    const echo = echoLength(rest, completion)
    const isWhole = length === Math.min(end, keys.length)
    return { end, length, echo, isWhole, rank: (echo > 0 ? 2 : 0) + (isWhole ? 1 : 0) }
  })
  const usable = overlaps.filter(({ end }) => end < next.dialog.keys.length || isFailed(previous))
  usable.sort((one, other) => other.rank - one.rank || other.length - one.length)
  const [best] = usable
  if (best) {
    const { end, length, echo } = best
    const start = end - length
    const kept = commonStart(keys.slice(0, -length), next.dialog.keys.slice(0, start))
    return {
      echoes: echo > 0,
      overlap: length,
      dropped: keys.length - length - kept,
      fresh: [
        ...next.dialog.messages.slice(kept, start),
        ...next.dialog.messages.slice(end + echo),
      ],
    }
  }
  return continuesAnswer(previous, next)
}

/** The continuation if only the answer is left of the history, or if the messages before it were rewritten. */
function continuesAnswer({ step, dialog }: Spoken, next: Spoken): Continuation | undefined {
  const { messages } = next.dialog
  const at = findEcho(messages, step.completion) ?? findResult(messages, step.completion)
  if (at === undefined) return undefined
  let start = at
  while (start > 0 && isAssistant(messages[start - 1]!)) start--
  const kept = commonStart(dialog.keys, next.dialog.keys)
  return {
    echoes: true,
    overlap: 0,
    dropped: Math.max(0, dialog.keys.length - start),
    fresh: [
      // Rewritten messages replace earlier ones, so they are not new.
      ...(start < dialog.keys.length ? [] : messages.slice(kept, start).slice(dialog.keys.length)),
      ...messages.slice(at + 1),
    ],
  }
}

/** The places in `next` at which `previous` ends, with the number of messages that match there. */
function findOverlaps(previous: string[], next: string[]): Array<{ end: number; length: number }> {
  const last = previous.at(-1)
  return next.flatMap((key, index) => {
    if (key !== last) return []
    let length = 1
    while (
      length <= index &&
      length < previous.length &&
      next[index - length] === previous[previous.length - 1 - length]
    )
      length++
    return [{ end: index + 1, length }]
  })
}

/** The keys without trailing assistant messages: a prefilled beginning comes back as a part of the whole answer. */
function keysBeforeAnswer({ messages, keys }: KeyedMessages): string[] {
  const last = messages.findLastIndex((message) => !isAssistant(message))
  return keys.slice(0, last + 1)
}

/** Whether an exchange has no proper answer. The same request again then continues the conversation. */
export function isFailed({ step: { completion } }: Spoken): boolean {
  const isEmpty = completion.text === '' && completion.toolCalls.length === 0
  return completion.error !== undefined || completion.incomplete === true || isEmpty
}

/**
 * The number of messages at the beginning that repeat the answer of the model, as applications send it back.
 * One answer can be several messages: one each for reasoning, a text, a call.
 */
function echoLength(messages: readonly Message[], completion: Completion): number {
  let length = 0
  while (length < messages.length && isAssistant(messages[length]!)) length++
  return messages.slice(0, length).some((message) => repeats(message, completion)) ? length : 0
}

/** The index of the last message that is the answer itself. */
function findEcho(messages: readonly Message[], completion: Completion): number | undefined {
  const index = messages.findLastIndex(
    (message) => isAssistant(message) && message.parts.some((part) => isAnswer(part, completion)),
  )
  return index < 0 ? undefined : index
}

/** The index before the first result of the answer's calls, for prompts that hold only the results of it. */
function findResult(messages: readonly Message[], { toolCalls }: Completion): number | undefined {
  const ids = new Set(toolCalls.flatMap(({ id }) => id ?? []))
  const index = messages.findIndex(({ parts }) =>
    parts.some(
      (part) => part.type === 'tool_call_response' && part.id !== undefined && ids.has(part.id),
    ),
  )
  return index < 0 ? undefined : index - 1
}

function repeats(message: Message, completion: Completion): boolean {
  return message.parts.some((part) => {
    if (isAnswer(part, completion)) return true
    if (part.type !== 'text' || part.text.trim() === '' || completion.text === '') return false
    // An answer can continue a beginning in the prompt, and an application can cut an answer.
    return part.text.includes(completion.text) || completion.text.includes(part.text)
  })
}

function isAnswer(part: Part, { text, toolCalls }: Completion): boolean {
  if (part.type === 'text') return text !== '' && part.text.trim() === text.trim()
  if (part.type !== 'tool_call') return false
  return toolCalls.some(({ id, name, arguments: args }) =>
    id === undefined || part.id === undefined
      ? name === part.name && jsonKey(args) === jsonKey(part.arguments)
      : id === part.id,
  )
}

/** The messages of a prompt, with keys to find them in another prompt. */
interface KeyedMessages {
  /** Instructions at its beginning, which applications keep when they drop the rest. */
  system: Message[]
  systemKey: string
  messages: Message[]
  /** One key for each message; equal for messages that say the same. */
  keys: string[]
}

/** Splits a prompt into its instructions and messages. Remembers that, as each later prompt is compared with it. */
const keyMessages: (prompt: Prompt) => KeyedMessages = rememberFor(({ messages }) => {
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

/** Leaves out hints such as `cache_control`, which move, and reasoning, which later requests lack. */
function keyOf({ role, parts }: Message): string {
  return sha256(stableStringify([role, parts.filter((part) => part.type !== 'reasoning')]))
}
