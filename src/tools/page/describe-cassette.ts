import { type Cassette, type Exchange, isRecorded } from '../../cassette/cassette.ts'
import {
  type Conversation,
  type Entry,
  readConversations,
} from '../../conversation/conversation.ts'
import { type PriceTable, usageOf, type UsageTotal } from '../../conversation/cost.ts'
import { visitEntry, type PairedCall } from '../../conversation/entries.ts'
import { findPictures, type Pictures } from '../../conversation/find-pictures.ts'
import { printParameters, type Settings, settingsIn } from '../../conversation/print-part.ts'
import type { RecordedStep } from '../../conversation/step.ts'
import { type JsonValue, isJsonObject } from '../../json/json-value.ts'
import { type FilePart, isFilePart, type Part, type Tool } from '../../prompt/prompt.ts'
import { type Frame, frameText } from '../../wire/amazon-frames.ts'
import type { Body } from '../../wire/body.ts'
import { fieldsOf, type StreamEvent } from '../../wire/event-stream.ts'
import {
  type Figures,
  type ReportCall,
  type ReportEntry,
  type ReportExchange,
  type ReportSettings,
  type ReportThread,
  type StreamedEvent,
  IMAGE,
  type ReportPart,
} from './data/report-data.ts'
import { showBriefly, showJson, showText, showSpelled } from './show-text.ts'
import { Veil } from '../../secrets/veil.ts'
import { isPlainText } from '../../providers/content.ts'

/** A cassette as the page shows it. */
export interface DescribedCassette {
  threads: ReportThread[]
  notes: string[]
  /** By exchange. */
  streams: Map<string, StreamedEvent[]>
  /** The files that it shows, by name. */
  files: Map<string, Buffer>
  conversations: Conversation[]
  usage: Array<{ model: string; total: UsageTotal }>
}

/** Converts a cassette for the page, with each message once. */
export function describeCassette(cassette: Cassette, prices: PriceTable): DescribedCassette {
  const veil = new Veil().learn(cassette.exchanges)
  const conversations = veil.hide(readConversations(cassette))
  const pictures = findPictures(cassette.exchanges)
  const usage: DescribedCassette['usage'] = []
  const streams = new Map<string, StreamedEvent[]>()
  const shown = new Set<string>()
  const threads = conversations.map((conversation): ReportThread => {
    const { thread: id, model, branchOf, steps, uncompared = [] } = conversation
    const describer = new PartDescriber(pictures, shown)
    const settings = new Map(settingsIn(conversation).map((one) => [one.exchange, one]))
    const said = Map.groupBy(conversation.entries, ({ exchange }) => exchange)
    const exchanges = steps.map((step) => {
      const total = usageOf(step, prices)
      usage.push({ model: step.prompt.model ?? 'no model', total })
      const { exchange } = step
      const events = isRecorded(exchange) ? eventsOf(exchange.wire.response.body) : []
      if (events.length > 0) streams.set(step.id, events)
      const own = settings.get(step.id)
      return {
        ...describeStep(step, total, events.length),
        settings: own && describeSettings(own),
        entries: (said.get(step.id) ?? []).map((entry) => describeEntry(entry, describer)),
      }
    })
    const branch = branchOf && `goes on from ${branchOf.thread} after its exchange ${branchOf.step}`
    const left = uncompared.length > 0 ? showText(uncompared.join(', ')) : undefined
    return { id, model, branch, uncompared: left, exchanges }
  })
  const files = Array.from(pictures.values())
    .filter(({ name }) => shown.has(name))
    .map(({ name, base64 }) => [name, Buffer.from(base64, 'base64')] as const)
  const notes = veil.hide(notesOf(cassette))
  return { threads, notes, streams, files: new Map(files), conversations, usage }
}

function notesOf({ invalid, params }: Cassette): string[] {
  return [
    invalid && `Invalid: ${invalid.reason}`,
    params && `Parameters: ${showBriefly(params as JsonValue)}`,
  ].filter((note) => note !== undefined)
}

function describeStep(
  { exchange, prompt, completion, wire }: RecordedStep,
  total: UsageTotal,
  events: number,
): Omit<ReportExchange, 'entries'> {
  return {
    id: exchange.id,
    ...figuresOf(total),
    model: prompt.model,
    operation: `${prompt.provider} · ${prompt.operation}`,
    method: wire?.request.method,
    url: wire?.request.url,
    status: wire?.response?.status,
    finish: completion.finishReasons,
    notes: Object.keys(NOTES).filter((note) => NOTES[note]!(exchange)),
    events,
  }
}

/** What there is to note of an exchange, and of which. */
const NOTES: Record<string, (exchange: Exchange) => boolean> = {
  'answer written by hand': ({ wire }) => !wire?.response,
  'answer kept from an earlier prompt': ({ response }) => 'kept' in response,
  'the connection broke': ({ wire }) => Boolean(wire?.response?.cut),
  'the client gave up': ({ wire }) => wire?.response?.aborted !== undefined,
}

function describeSettings({ parameters, tools }: Settings): ReportSettings {
  return {
    parameters: parameters && printParameters(parameters),
    tools: tools?.map(describeTool),
  }
}

function describeTool({ name, description, parameters, extra }: Tool): {
  name: string
  text: string
} {
  const texts = [description, showJson(parameters), showJson(extra)]
  return { name, text: texts.filter(Boolean).join('\n\n') }
}

function describeEntry(whole: Entry, describer: PartDescriber): ReportEntry {
  return visitEntry<ReportEntry>(whole, {
    dropped: ({ messages }) => {
      const text = `${messages} earlier messages are no longer sent`
      return { role: 'dropped', parts: [{ type: 'text', text }], calls: [] }
    },
    said: ({ role, parts, extra, userId }) => ({
      role,
      name: userId,
      parts: describer.describe(parts),
      calls: [],
      extra: showJson(extra),
    }),
    assistant: ({ text, reasoning, calls, more = [], extra, completion, server }) => ({
      role: server === undefined ? 'assistant' : 'tool',
      name: server,
      reasoning: reasoning || undefined,
      parts: describer.describe(text === '' ? more : [{ type: 'text', text }, ...more]),
      calls: calls.map((call) => describeCall(call, describer)),
      extra: showJson(extra),
      error: completion?.error,
      isCut: completion?.incomplete,
    }),
  })
}

function describeCall(
  { name, parameters, result, extra }: PairedCall,
  describer: PartDescriber,
): ReportCall {
  return {
    name,
    brief: showBriefly(parameters),
    parameters: showJson(parameters),
    result: result === undefined ? undefined : describer.describeResult(result),
    extra: showJson(extra),
  }
}

/** The events of a streamed answer in order of arrival; none if it was not streamed. */
function eventsOf(body: Body): StreamedEvent[] {
  switch (body.kind) {
    case 'events':
      return body.events.map(describeEvent)
    case 'lines':
      return body.lines.map((line) => ({
        data: typeof line === 'string' ? line.trimEnd() : JSON.stringify(line),
      }))
    case 'frames':
      return body.frames.map(describeFrame)
    default:
      return []
  }
}

function describeEvent(event: StreamEvent): StreamedEvent {
  const { event: name, data } =
    typeof event === 'string' ? { data: event.trimEnd(), ...fieldsOf(event) } : event
  return { name, data: typeof data === 'string' ? data : JSON.stringify(data) }
}

function describeFrame(frame: Frame): StreamedEvent {
  if ('bytes' in frame) return { data: frame.bytes }
  const name = 'event' in frame ? frame.event : frame.headers[':exception-type']
  return { name, data: frameText(frame) }
}

/** Converts the usage of exchanges for the page. Unknown figures become `null`. */
export function figuresOf(total: UsageTotal): Figures {
  const { exchanges, unpriced, uncounted, cost, durationMs } = total
  const isUncounted = uncounted === exchanges && exchanges > 0
  return {
    exchanges,
    input: isUncounted ? null : total.inputTokens,
    output: isUncounted ? null : total.outputTokens,
    cached: total.cachedTokens,
    reasoning: total.reasoningTokens,
    cost: unpriced === exchanges && exchanges > 0 ? null : cost,
    isAtLeast: (unpriced > 0 && unpriced < exchanges) || undefined,
    ms: Math.round(durationMs),
  }
}

/** Converts the parts of one thread for the page, and links each picture to the one before it. */
class PartDescriber {
  readonly #pictures: Pictures
  readonly #shown: Set<string>
  #last?: string

  /** @param shown gets the names of all files that are shown */
  constructor(pictures: Pictures, shown: Set<string>) {
    this.#pictures = pictures
    this.#shown = shown
  }

  describe(parts: readonly Part[]): ReportPart[] {
    return parts.flatMap((part) => this.#describePart(part))
  }

  /** The parts of a tool result: texts, files, and other data. */
  describeResult(result: JsonValue): ReportPart[] {
    const items = Array.isArray(result) && result.some(isContent) ? result : [result]
    return items.map((item) =>
      isFilePart(item)
        ? this.#describeBlob(item)
        : { type: 'text', text: showSpelled(isPlainText(item) ? item.text : item) },
    )
  }

  #describePart(part: Part): ReportPart[] {
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text }]
      case 'reasoning':
        return [{ type: 'data', label: 'reasoning', text: part.text }]
      case 'tool_call':
        return [{ type: 'data', label: part.name, text: showJson(part.arguments) }]
      case 'tool_call_response':
        return this.describeResult(part.result)
      case 'blob':
        return [this.#describeBlob(part)]
      case 'uri':
        return [{ type: 'data', label: 'link', text: part.uri }]
      case 'other':
        return [{ type: 'data', label: kindOf(part.value), text: showJson(part.value) }]
    }
  }

  #describeBlob({ mimeType = 'file', hash, size }: FilePart): ReportPart {
    const label = `${mimeType}, ${size.toLocaleString('en')} bytes`
    const file = this.#pictures.get(hash)?.name
    if (file === undefined) return { type: 'data', label, text: '' }
    this.#shown.add(file)
    if (!IMAGE.test(file)) return { type: 'file', file, label }
    const before = this.#last === file ? undefined : this.#last
    this.#last = file
    return { type: 'file', file, label, before }
  }
}

function kindOf(value: JsonValue): string {
  const type = isJsonObject(value) ? value.type : undefined
  return typeof type === 'string' ? type : 'data'
}

function isContent(item: JsonValue): boolean {
  return isPlainText(item) || isFilePart(item)
}
