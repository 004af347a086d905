import { type Cassette, type Exchange, isRecorded } from '../../cassette/cassette.ts'
import {
  type Conversation,
  type Entry,
  readConversations,
} from '../../conversation/conversation.ts'
import { type PriceTable, usageOf, type UsageTotal } from '../../conversation/cost.ts'
import { visitEntry, type PairedCall } from '../../conversation/entries.ts'
import { findPictures } from '../../conversation/find-pictures.ts'
import { printParameters, type Settings, settingsIn } from '../../conversation/print-part.ts'
import type { RecordedStep } from '../../conversation/step.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Tool } from '../../prompt/prompt.ts'
import { type Frame, frameText } from '../../wire/amazon-frames.ts'
import type { Body } from '../../wire/body.ts'
import { fieldsOf, type StreamEvent } from '../../wire/event-stream.ts'
import type {
  Figures,
  ReportCall,
  ReportEntry,
  ReportExchange,
  ReportSettings,
  ReportThread,
  StreamedEvent,
} from './data/report-data.ts'
import { PartDescriber } from './describe-parts.ts'
import { showBriefly, showJson, showText } from './show-text.ts'

/** A cassette as the page shows it. */
export interface DescribedCassette {
  threads: ReportThread[]
  notes: string[]
  /** By exchange. */
  streams: Map<string, StreamedEvent[]>
  /** The files that it shows, by name. */
  files: Map<string, Buffer>
  conversations: Conversation[]
  /** By model. */
  usage: Array<{ model: string; total: UsageTotal }>
}

/** Converts a cassette for the page, with each message once. */
export function describeCassette(cassette: Cassette, prices: PriceTable): DescribedCassette {
  const conversations = readConversations(cassette)
  const pictures = findPictures(cassette.exchanges)
  const usage: DescribedCassette['usage'] = []
  const streams = new Map<string, StreamedEvent[]>()
  const shown = new Set<string>()
  const threads = conversations.map((conversation): ReportThread => {
    const describer = new PartDescriber(pictures)
    const settings = new Map(settingsIn(conversation).map((one) => [one.exchange, one]))
    const said = Map.groupBy(conversation.entries, ({ exchange }) => exchange)
    const exchanges = conversation.steps.map((step) => {
      const total = usageOf(step, prices)
      usage.push({ model: showText(step.prompt.model ?? 'no model'), total })
      const events = describeStream(step.exchange)
      if (events.length > 0) streams.set(step.id, events)
      const entries = (said.get(step.id) ?? []).map((entry) => describeEntry(entry, describer))
      const own = settings.get(step.id)
      return {
        ...describeStep(step, total, events.length),
        ...(own ? { settings: describeSettings(own) } : {}),
        entries,
      }
    })
    for (const file of describer.files) shown.add(file)
    const { thread: id, model, branchOf } = conversation
    return {
      id,
      ...(model === undefined ? {} : { model: showText(model) }),
      ...(branchOf
        ? { branch: `goes on from ${branchOf.thread} after its exchange ${branchOf.step}` }
        : {}),
      exchanges,
    }
  })
  const files = Array.from(pictures.values(), ({ name, base64 }) => [name, base64] as const)
    .filter(([name]) => shown.has(name))
    .map(([name, base64]) => [name, Buffer.from(base64, 'base64')] as const)
  return {
    threads,
    notes: notesOf(cassette),
    streams,
    files: new Map(files),
    conversations,
    usage,
  }
}

function notesOf({ invalid, params }: Cassette): string[] {
  return [
    ...(invalid ? [`Invalid: ${showText(invalid.reason)}`] : []),
    ...(params ? [`Parameters: ${showBriefly(params as JsonValue)}`] : []),
  ]
}

function describeStep(
  { exchange, prompt, completion, wire }: RecordedStep,
  total: UsageTotal,
  events: number,
): Omit<ReportExchange, 'entries'> {
  const { provider, operation, model } = prompt
  return {
    id: exchange.id,
    ...figuresOf(total),
    ...(model === undefined ? {} : { model: showText(model) }),
    operation: showText(`${provider} · ${operation}`),
    ...(wire ? { method: showText(wire.request.method), url: showText(wire.request.url) } : {}),
    ...(wire?.response ? { status: wire.response.status } : {}),
    finish: completion.finishReasons.map(showText),
    notes: notesOfExchange(exchange),
    events,
  }
}

function notesOfExchange({ response, wire }: Exchange): string[] {
  return [
    ...(wire?.response ? [] : ['answer written by hand']),
    ...('kept' in response ? ['answer kept from an earlier prompt'] : []),
    ...(wire?.response?.cut ? ['the connection broke'] : []),
    ...(wire?.response?.aborted === undefined ? [] : ['the client gave up']),
  ]
}

function describeSettings({ parameters, tools }: Settings): ReportSettings {
  return {
    ...(parameters ? { parameters: showText(printParameters(parameters)) } : {}),
    ...(tools ? { tools: tools.map(describeTool) } : {}),
  }
}

function describeTool({ name, description = '', parameters, extra }: Tool): {
  name: string
  text: string
} {
  const rest = [parameters, extra].flatMap((value) => (value === undefined ? [] : showJson(value)))
  return {
    name: showText(name),
    text: [showText(description), ...rest].filter(Boolean).join('\n\n'),
  }
}

function describeEntry(whole: Entry, describer: PartDescriber): ReportEntry {
  const beside = (extra: JsonObject | undefined): object =>
    extra ? { extra: showJson(extra) } : {}
  return visitEntry<ReportEntry>(whole, {
    dropped: ({ messages }) => {
      const text = `${messages} earlier messages are no longer sent`
      return { role: 'dropped', parts: [{ type: 'text', text }], calls: [] }
    },
    said: ({ role, parts, extra, userId }) => ({
      role,
      ...(userId === undefined ? {} : { name: showText(userId) }),
      parts: describer.describe(parts),
      calls: [],
      ...beside(extra),
    }),
    assistant: ({ text, reasoning, calls, more = [], extra, completion, server }) => ({
      ...(server === undefined ? { role: 'assistant' } : { role: 'tool', name: showText(server) }),
      ...(reasoning ? { reasoning: showText(reasoning) } : {}),
      parts: describer.describe(text === '' ? more : [{ type: 'text', text }, ...more]),
      calls: calls.map((call) => describeCall(call, describer)),
      ...beside(extra),
      ...(completion?.error === undefined ? {} : { error: showText(completion.error) }),
      ...(completion?.incomplete ? { isCut: true } : {}),
    }),
  })
}

function describeCall(
  { name, parameters, result, extra }: PairedCall,
  describer: PartDescriber,
): ReportCall {
  return {
    name: showText(name),
    brief: showBriefly(parameters),
    parameters: showJson(parameters),
    ...(result === undefined ? {} : { result: describer.describeResult(result) }),
    ...(extra ? { extra: showJson(extra) } : {}),
  }
}

/** The events of a streamed answer in order of arrival; none if it was not streamed. */
function describeStream(exchange: Exchange): StreamedEvent[] {
  return isRecorded(exchange) ? eventsOf(exchange.wire.response.body) : []
}

function eventsOf(body: Body): StreamedEvent[] {
  switch (body.kind) {
    case 'events':
      return body.events.map(describeEvent)
    case 'lines':
      return body.lines.map((line) => ({
        data: showText(typeof line === 'string' ? line.trimEnd() : JSON.stringify(line)),
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
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return { ...(name === undefined ? {} : { name: showText(name) }), data: showText(text) }
}

function describeFrame(frame: Frame): StreamedEvent {
  if ('bytes' in frame) return { data: frame.bytes }
  const name = 'event' in frame ? frame.event : frame.headers[':exception-type']
  return {
    ...(name === undefined ? {} : { name: showText(name) }),
    data: showText(frameText(frame)),
  }
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
    ...(unpriced > 0 && unpriced < exchanges ? { isAtLeast: true as const } : {}),
    ms: Math.round(durationMs),
  }
}
