import type { Cassette, ToolCallSummary, WrittenExchange } from '../../../cassette/cassette.ts'
import { idOfPlace } from '../../../cassette/written.ts'
import type { JsonObject, JsonValue } from '../../../json/json-value.ts'
import { defined, jsonObject, objectOf, unlessEmpty } from '../../../providers/fields.ts'
import { isAssistant, isSystem, type Message, type Part } from '../../../prompt/prompt.ts'
import { choicesAsked } from './choices.ts'
import { textOfMessage } from './messages.ts'
import type { HeldAnswer, HeldChoice, ModelCall } from './model-call.ts'
import type { Trace } from './read-traces.ts'

/**
 * The cassette of a trace: each call of a model is an exchange that answers a prompt which says the same, in the format
 * in which it is asked. What the trace does not hold is not compared.
 *
 * @param title `<test file> > <suite> > <test>`
 */
export function cassetteOfTrace(
  { calls }: Pick<Trace, 'calls'>,
  title: string,
  { now, cutTexts = false }: TraceMaking,
): Cassette {
  const said: SaidEntry[] = []
  const threads = new Set(calls.map(({ thread }) => thread.id))
  const exchanges = calls.map((call, index) => {
    const time = call.start?.replace(/(\.\d{3})\d*Z$/, '$1Z') ?? now.toISOString()
    const entries = entriesOf(call.prompt.messages ?? [])
    const goesOn = index > 0 && startsWith(entries, said)
    const first = goesOn ? said.length : 0
    const answered = answerEntries(call.answer)
    said.splice(0, said.length, ...entries, ...answered)
    const all = [...entries, answered.length === 1 ? answered[0]! : ANSWER]
    const turns = turnsOf(all)
    const context = all
      .map((entry, place) => ({ index: place, turn: turns[place]!, timestamp: time, ...entry }))
      .slice(first)
    const traced = tracedOf(call, cutTexts, threads.size > 1)
    return exchangeOf(call, idOfPlace(index), context as unknown as JsonValue[], traced)
  })
  const dates = calls.flatMap(({ start }) => start ?? []).toSorted()
  const timestamp = new Date(dates.at(-1) ?? now).toISOString()
  return { conversationId: title, timestamp, exchanges }
}

/** The turns of entries: the first word of the assistant behind one of somebody else begins the next. */
function turnsOf(entries: readonly SaidEntry[]): number[] {
  let turn = 0
  return entries.map(({ role }, place) => {
    const before = entries[place - 1]?.role
    if (role === 'assistant' && before !== undefined && before !== 'assistant') turn++
    return turn
  })
}

/** How a trace becomes a cassette. */
export interface TraceMaking {
  now: Date
  /** Texts that the tracer has cut are compared up to the cut. Otherwise they are not compared. */
  cutTexts?: boolean
}

/** Stands for an answer of several calls, or of none: the exchange has them. */
const ANSWER: SaidEntry = { role: 'assistant', content: { text: '' } }

function exchangeOf(
  call: ModelCall,
  id: string,
  context: JsonValue[],
  traced: JsonObject,
): WrittenExchange {
  const { prompt, answer } = call
  const choices = choicesAsked(prompt.parameters)
  const question = prompt.messages?.findLast(
    (message) => message.role === 'user' && textOfMessage(message) !== '',
  )
  return {
    id,
    prompt: {
      text: question ? textOfMessage(question) : '',
      metadata: {
        ...(prompt.messages ? { context } : {}),
        ...comparableIn(prompt.parameters ?? {}, call.notHeld.includes('limit')),
        ...jsonObject({ n: choices, tools: toolsOf(call), traced }),
      },
    },
    response: responseOf(answer),
  }
}

/** The tools that a request must have: those of the trace, or none where it holds the whole request without any. */
function toolsOf({ prompt: { tools, isWhole } }: ModelCall): JsonValue[] | undefined {
  return (tools ?? (isWhole && [])) as JsonValue[] | undefined
}

/**
 * Of which call an exchange is made, for people, and what of it is not compared.
 *
 * @param isOneOfSeveral whether its trace has several agents, whose calls are threads of their own
 */
function tracedOf(
  { emitter, traceId, spanId, thread, prompt, answer, notHeld, ifSent = [], cut }: ModelCall,
  cutTexts: boolean,
  isOneOfSeveral: boolean,
): JsonObject {
  const { provider, model } = prompt
  const ids = (answer.tool_calls ?? []).map(({ id = '' }) => id)
  const texts = cut.map(({ text, kept, why }): JsonObject =>
    cutTexts && why !== 'redacted' ? { text, kept } : { text },
  )
  return jsonObject({
    by: emitter,
    trace_id: traceId,
    span_id: spanId,
    thread: isOneOfSeveral ? thread.id : undefined,
    provider: provider || undefined,
    model: model || undefined,
    not_held: unlessEmpty([...notHeld]),
    call_ids: ids.every(Boolean) ? unlessEmpty(ids) : undefined,
    choices: answer.otherChoices?.map(choiceOf),
    if_sent: unlessEmpty([...ifSent]),
    cut: unlessEmpty(texts),
  })
}

function responseOf(held: HeldAnswer): WrittenExchange['response'] {
  const { text, reasoning, tool_calls: calls, usage, error, status } = held
  // The reasons why an answer ended are in the words of the tracer; each wire has its own for the same end.
  const answer = { text, reasoning, tool_calls: calls?.map(summaryOf), usage, error, status }
  return defined(answer) as WrittenExchange['response']
}

/** A further choice, for a client that asks for several. */
function choiceOf({ text, reasoning, tool_calls: calls }: HeldChoice): JsonObject {
  const listed = calls?.map(({ id, ...call }) => jsonObject({ id, ...summaryOf(call) }))
  return jsonObject({ text, reasoning, tool_calls: listed })
}

function summaryOf({ tool_name, parameters, result }: ToolCallSummary): ToolCallSummary {
  return defined({ tool_name, parameters, result })
}

/** The parameters that every format spells as plain values, so that they can be compared by their meaning. */
const PLAIN =
  /^(?:temperature|top_?[pk]|max_(?:completion_|output_)?tokens|maxTokens|maxOutputTokens|frequency_penalty|presence_penalty|seed|stop|stop_sequences)$/

function comparableIn(parameters: JsonObject, isOtherLimit: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).filter(
      ([name]) => PLAIN.test(name) && !(isOtherLimit && name === 'max_tokens'),
    ),
  )
}

/** An entry of a context, without its place and its time. */
type SaidEntry = { role: string; content: JsonValue }

/** The messages of a prompt as entries: each call with its result, thoughts and pictures left out. */
function entriesOf(messages: readonly Message[]): SaidEntry[] {
  const entries: SaidEntry[] = []
  const open: Array<{ id?: string; content: JsonObject }> = []
  for (const message of messages) {
    const text = textOfMessage(message)
    const role = isSystem(message) ? 'system' : isAssistant(message) ? 'assistant' : 'user'
    const isText = text !== '' && message.role !== 'tool'
    if (isText) entries.push({ role, content: role === 'assistant' ? { text } : text })
    for (const part of message.parts) {
      if (part.type === 'tool_call') {
        const content = callContent(part.name, part.arguments)
        open.push({ id: part.id, content })
        entries.push({ role: 'assistant', content })
      } else if (part.type === 'tool_call_response') giveResult(part, open)
    }
  }
  return entries
}

function giveResult(
  { id, result }: Extract<Part, { type: 'tool_call_response' }>,
  open: Array<{ id?: string; content: JsonObject }>,
): void {
  const place = id === undefined ? 0 : open.findIndex((call) => call.id === id)
  const [call] = place < 0 ? [] : open.splice(place, 1)
  if (call) call.content.result = result
}

function answerEntries({ text, tool_calls: calls = [] }: HeldAnswer): SaidEntry[] {
  return [
    ...(text === '' ? [] : [{ role: 'assistant', content: { text } }]),
    ...calls.map(({ tool_name: name, parameters, result }) => ({
      role: 'assistant',
      content: callContent(name, parameters, result),
    })),
  ]
}

function callContent(name: string, parameters: JsonValue, result?: JsonValue): JsonObject {
  return jsonObject({ toolCall: name, parameters: objectOf(parameters), result })
}

function startsWith(entries: readonly SaidEntry[], said: readonly SaidEntry[]): boolean {
  return (
    entries.length >= said.length &&
    said.every((one, index) => JSON.stringify(one) === JSON.stringify(entries[index]))
  )
}
