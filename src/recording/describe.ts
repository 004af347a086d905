import {
  type Exchange,
  isRecorded,
  type RecordedExchange,
  type ResponseSummary,
  type TimeSpan,
  type ToolCallSummary,
  type WrittenExchange,
} from '../cassette/cassette.ts'
import { idOfPlace } from '../cassette/written.ts'
import { linkThreads } from '../conversation/threads.ts'
import { openCall, pairResults, type PairedCall } from '../conversation/entries.ts'
import { readExchange, type Step } from '../conversation/step.ts'
import { isContainer, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { sortKeys } from '../json/key-order.ts'
import type { Completion } from '../prompt/completion.ts'
import {
  type Message,
  type Part,
  type PartVisitor,
  type Prompt,
  visitPart,
} from '../prompt/prompt.ts'
import { defined } from '../providers/fields.ts'
import { isUnasked } from '../wire/imported.ts'
import { asItWasSent } from '../wire/body.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { readIncoming, type Incoming } from '../engine/incoming.ts'
import { completionFor, promptFor } from '../engine/read-prompt.ts'
import { loadRedactions } from '../secrets/redactions.ts'
import { MAY_BE_NUMBERED, holdsText } from '../text/holds-text.ts'
import { type Recorded, RequestReader } from '../engine/recorded.ts'
import { summarizeUsage } from '../conversation/usage.ts'

/** A prompt and its answer, before they get their place in a conversation. */
export interface Turn {
  incoming: Incoming
  response: WireResponse
  durationMs?: number
  /** The number of the repeat of the test that asked, from 2 on. */
  sample?: number | undefined
  /** The name of its group in the old recording. */
  part?: string | undefined
  /** The provider gave the answer to an earlier prompt, and mode `prompts` kept it. */
  kept?: true
  /** A mock of the application gave the answer, in the place of the provider. */
  mocked?: true | undefined
  /** Its name among these turns, by which others refer to it: the id that it had, or the number of its request. */
  name?: string | undefined
  /** The name of the turn after whose response it was sent, where one has to follow the other. */
  after?: string | undefined
  span?: TimeSpan | undefined
}

/** A turn, or a hand-written exchange in its place. */
export type KeptTurn = Turn | WrittenExchange

/** Parameters longer than this are left out of the metadata. */
const MAX_METADATA = 80

/** Tool results longer than this are shortened in the text of a prompt; they stand next to their call. */
const MAX_RESULT = 200

/** Writes the human-readable half of each exchange, from the whole conversation. */
export function describeTurns(kept: readonly KeptTurn[]): Exchange[] {
  const messages = kept.map((turn) =>
    'incoming' in turn ? [turn.incoming.wire, turn.response] : turn.wire,
  )
  const turns = holdsText(messages, MAY_BE_NUMBERED)
    ? loadRedactions().numberValues<Incoming, KeptTurn>(kept)
    : kept
  const placed = placeTurns(turns)
  const steps = turns.map((turn, index) =>
    'incoming' in turn
      ? readStep(turn, placed[index]!)
      : writtenStep(turn, placed[index]!, turns[index - 1]),
  )
  const fresh = new Map<KeptTurn, Message[]>()
  for (const thread of linkThreads(steps)) {
    const earlier: PairedCall[] = []
    for (const linked of thread.steps) {
      fresh.set(linked.step.turn, linked.fresh)
      for (const message of linked.fresh) pairResults(message, earlier)
      for (const call of linked.step.calls) earlier.push(call)
    }
  }
  const hashes = hashTurns(turns, placed)
  return turns.map((turn, index): Exchange => {
    const { id, request } = placed[index]!
    if (!('incoming' in turn))
      return request
        ? { ...turn, id, prompt: { ...turn.prompt, hash: hashes[index]! } }
        : { ...turn, id }
    const { incoming, response, durationMs, kept, mocked, span, sample, part } = turn
    const { completion, calls } = steps[index]!
    return {
      id,
      ...(span ? { span } : {}),
      ...(sample === undefined ? {} : { sample }),
      ...(part === undefined ? {} : { part }),
      prompt: describePrompt(incoming, hashes[index]!, fresh.get(turn)!),
      response: describeResponse(completion, calls, { durationMs, kept, mocked }),
      wire: { request: request!, response },
    }
  })
}

/** The prompt hashes of turns, which are known but on a socket: there, the file tells which request comes before. */
function hashTurns(
  turns: readonly KeptTurn[],
  placed: readonly Place[],
): Array<string | undefined> {
  if (placed.some(({ request }) => request?.after !== undefined)) return hashStoredRequests(placed)
  return turns.map((turn) =>
    'incoming' in turn
      ? turn.incoming.plainHash
      : turn.wire && readIncoming(turn.wire.request).hash,
  )
}

interface TurnStep extends Step {
  turn: KeptTurn
  calls: PairedCall[]
}

interface Place {
  id: string
  request?: WireRequest
}

function readStep(turn: Turn, { id, request = turn.incoming.wire }: Place): TurnStep {
  const prompt = promptFor(turn.incoming)
  const completion = completionFor(turn.response, turn.incoming)
  const wire = { request, response: turn.response }
  return { id, turn, prompt, completion, wire, calls: completion.toolCalls.map(openCall) }
}

/** A hand-written exchange contains only what is new, so it is read together with the one before it. */
function writtenStep(turn: WrittenExchange, { id }: Place, before?: KeptTurn): TurnStep {
  const earlier = before && !('incoming' in before) ? before : undefined
  const step = readExchange(turn, earlier)
  return { id, turn, ...step, calls: step.completion.toolCalls.map(openCall) }
}

/** Exchanges are numbered anew; a name that a person gave stays. */
function placeTurns(turns: readonly KeptTurn[]): Place[] {
  const before = new SocketPlaces()
  const named = new Map<string, number>()
  return turns.map((turn, index) => {
    const id = idOfPlace(index)
    if (!('incoming' in turn))
      return { id: /^exchange-\d+$/.test(turn.id) ? id : turn.id, request: turn.wire?.request }
    const { after: hashBefore, hash, sent, wire } = turn.incoming
    // The ids of the recording that it was kept from.
    const { after: _, ...bare } = wire
    const kept = orderedAfter(wire) === undefined ? wire : bare
    const body = asItWasSent(kept.body, sent.body)
    const request = body === kept.body ? kept : { ...kept, body }
    const place = hashBefore === undefined ? named.get(turn.after ?? '') : before.take(hashBefore)
    if (turn.name !== undefined) named.set(turn.name, index)
    before.add(hash, index)
    return { id, request: place === undefined ? request : { ...request, after: idOfPlace(place) } }
  })
}

/** The exchange that has to be played before a request, by its id. A message on a socket has its place in its hash. */
export function orderedAfter({ method, after }: WireRequest): string | undefined {
  return method === 'SEND' ? undefined : after
}

/** Finds the exchange of the previous request on a socket, by its hash. */
class SocketPlaces {
  readonly #open: Map<string, number[]> = new Map()
  readonly #last: Map<string, number> = new Map()

  add(hash: string, place: number): void {
    this.#last.set(hash, place)
    const open = this.#open.get(hash)
    if (open) open.push(place)
    else this.#open.set(hash, [place])
  }

  /** Of sockets that begin alike, takes the first that has no later request yet. */
  take(hash: string): number {
    return this.#open.get(hash)?.shift() ?? this.#last.get(hash) ?? -1
  }
}

/** `fresh` are the messages that stood in no earlier exchange of the conversation. */
function describePrompt(
  incoming: Incoming,
  hash: string,
  fresh: Message[],
): RecordedExchange['prompt'] {
  const prompt = promptFor(incoming)
  const { wire } = incoming
  const asked = fresh.filter((message) => message.role !== 'assistant')
  // Instructions stand in the request, where each is stored once.
  const told = asked.filter(({ role }) => role !== 'system' && role !== 'developer')
  const shown = told.length > 0 ? told : asked.length > 0 ? asked : prompt.messages.slice(-1)
  const said =
    shown.length === 1 && shown[0]!.role === 'user'
      ? textOfParts(shown[0]!.parts)
      : shown.map((message) => `${message.role}: ${textOfParts(message.parts)}`).join('\n')
  // A request without a prompt, such as a poll, is described by its address; on a socket by its name.
  const place = wire.method === 'SEND' ? prompt.operation : new URL(wire.url).pathname
  const text = isUnasked(wire)
    ? describeUnasked(wire)
    : shown.length > 0
      ? said
      : `${wire.method} ${place}`
  return { text, hash, metadata: describeParameters(prompt) }
}

/** What a file of another tool tells about a request whose prompt it does not hold. */
function describeUnasked({ method, url, imported }: WireRequest): string {
  const { from, unknown = [] } = imported!
  const { host, pathname } = new URL(url)
  const known = [
    ...(unknown.includes('method') ? [] : [method]),
    ...(unknown.includes('path') ? [] : [(unknown.includes('host') ? '' : host) + pathname]),
  ]
  return `An unknown prompt${known.length > 0 ? `, ${known.join(' ')}` : ''} (imported: ${from})`
}

function describeParameters({ provider, operation, model, parameters }: Prompt): JsonObject {
  const metadata: JsonObject = { provider, operation, ...(model === undefined ? {} : { model }) }
  // Sorted by name, as in the file, so that the request read from the file has the same description.
  for (const name of Object.keys(parameters).sort()) {
    const value = parameters[name]!
    if (isContainer(value) || name in metadata) continue
    if (JSON.stringify(value).length <= MAX_METADATA) metadata[name] = value
  }
  return metadata
}

function describeResponse(
  completion: Completion,
  calls: PairedCall[],
  { durationMs, kept, mocked }: Pick<Turn, 'durationMs' | 'kept' | 'mocked'>,
): ResponseSummary {
  const { text, reasoning, finishReasons, usage, error, incomplete } = completion
  return defined({
    text,
    reasoning: reasoning || undefined,
    tool_calls: calls.length > 0 ? calls.map(describeToolCall) : undefined,
    finish_reasons: finishReasons.length > 0 ? finishReasons : undefined,
    usage: usage && summarizeUsage(usage),
    error,
    incomplete: incomplete || undefined,
    duration_ms: durationMs,
    kept,
    mocked,
  })
}

function describeToolCall({ name, parameters, result }: PairedCall): ToolCallSummary {
  // Sorted as the request is in the file, so that recording again does not change it.
  return defined({
    tool_name: name,
    parameters,
    result: result === undefined ? undefined : sortKeys(result),
  })
}

function textOfParts(parts: Part[]): string {
  return parts.map((part) => visitPart(part, TEXT_OF_PART)).join('\n')
}

const TEXT_OF_PART: PartVisitor<string> = {
  text: ({ text }) => text,
  reasoning: ({ text }) => text,
  tool_call: (call) => `${call.name}(${print(call.arguments)})`,
  tool_call_response: ({ result }) => shorten(typeof result === 'string' ? result : print(result)),
  blob: ({ mimeType = 'file', size }) => `[${mimeType}, ${size} bytes]`,
  uri: ({ uri }) => `[${uri}]`,
  other: ({ value }) => print(value),
}

/** JSON with sorted keys, as in the file, so that the request read from the file gives the same text. */
function print(value: JsonValue): string {
  return JSON.stringify(sortKeys(value))
}

function shorten(text: string): string {
  if (text.length <= 2 * MAX_RESULT) return text
  const count = text.length.toLocaleString('en')
  return `${text.slice(0, MAX_RESULT)}… (${count} characters)`
}

/**
 * The prompt hashes of stored requests, in order, as cassettes show them: without the rules for volatile values, which
 * are in the configuration. So the file alone is enough to compute them. Hand-written exchanges have no request.
 */
export function hashStoredRequests(
  requests: ReadonlyArray<{ id: string; request?: WireRequest }>,
): Array<string | undefined> {
  const reader = new RequestReader()
  return requests.map(({ id, request }) => request && reader.read(id, request).hash)
}

/** The turn of a stored exchange. A hand-written exchange stays as it is. */
export function keptTurn({ exchange, incoming }: Recorded): KeptTurn {
  if (!isRecorded(exchange)) return exchange
  const { wire, response } = exchange
  return {
    incoming: incoming!,
    response: wire.response,
    durationMs: response.duration_ms,
    kept: response.kept,
    mocked: response.mocked,
    name: exchange.id,
    sample: exchange.sample,
    part: exchange.part,
    after: orderedAfter(wire.request),
  }
}
