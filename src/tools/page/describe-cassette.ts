import type { Cassette, Exchange } from '../../cassette/cassette.ts'
import {
  readConversations,
  type Conversation,
  type Entry,
} from '../../conversation/conversation.ts'
import { type PriceTable, usageOf, type UsageTotal } from '../../conversation/cost.ts'
import { visitEntry, type PairedCall } from '../../conversation/entries.ts'
import type { RecordedStep } from '../../conversation/step.ts'
import { findPictures } from '../../conversation/find-pictures.ts'
import { printParameters, settingsIn, type Settings } from '../../conversation/print-part.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Tool } from '../../prompt/prompt.ts'
import type {
  ReportCall,
  ReportEntry,
  ReportExchange,
  ReportSettings,
  ReportThread,
  StreamedEvent,
} from './data/report-data.ts'
import { PartDescriber } from './describe-parts.ts'
import { describeStream } from './describe-stream.ts'
import { figuresOf } from './figures.ts'
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
