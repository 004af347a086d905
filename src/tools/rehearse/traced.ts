import type { Exchange } from '../../cassette/cassette.ts'
import { contextOf, entryContent } from '../../conversation/context.ts'
import type { ContextEntry } from '../../conversation/context-file.ts'
import { type RecordedStep, toldTools } from '../../conversation/step.ts'
import type { ModelMap } from '../../features/other-model.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import { dialectOf, dialects } from '../../providers/dialects.ts'
import { stringOf, without } from '../../providers/fields.ts'
import { placeholdersIn } from '../../text/placeholders.ts'
import { layOutLine } from '../../text/printable.ts'
import type { WireRequest } from '../../wire/message.ts'
import { addressToAsk, parametersOf, translate } from './other-dialect.ts'

/** A prompt of a trace, as it can be asked. */
export interface TracedPrompt {
  /** In the format of chat completions, for {@link askTraced} to translate: no trace has the request itself. */
  request: WireRequest
  /** What the trace does not hold, and is not asked therefore: `tools`, … */
  without: string[]
}

/** What is told of the call of which an exchange was made; `undefined` for all that no trace was. */
function tracedIn({ wire, prompt: { metadata } }: Exchange): JsonObject | undefined {
  return !wire && isJsonObject(metadata.traced) ? metadata.traced : undefined
}

/** Whether an exchange was made of a call in a trace. */
export function isTraced(exchange: Exchange): boolean {
  return tracedIn(exchange) !== undefined
}

/** Where prompts of traces are written before it is known who is asked. */
const NEUTRAL = 'https://api.openai.com/v1/chat/completions'

/**
 * Reads the prompt of an exchange of a trace, or says why nobody can be asked.
 *
 * @param earlier the exchanges before it in its cassette
 */
export function readTraced(
  { exchange, completion }: RecordedStep,
  earlier: readonly Exchange[],
): TracedPrompt | { why: string } {
  const chain = [...earlier.slice(firstOf(exchange, earlier)), exchange]
  const { metadata } = exchange.prompt
  const messages = messagesOf(chain)
  const tools = toldTools(metadata) ?? []
  const why =
    whyNotHeld(exchange, chain, messages) ?? whyNotComparable(exchange, [messages, completion])
  if (why !== undefined) return { why }
  const bare = tools.find(({ description, parameters }) => !description && !parameters)
  if (bare) return { why: `its trace holds of the tool ${bare.name} only the name` }
  const traced = tracedIn(exchange)!
  const unsure = wordsIn(traced.if_sent).filter((name) => name in metadata)
  const { model } = traced
  const value = dialects.find(({ name }) => name === 'openai-chat')!.writePrompt!({
    model: stringOf(model),
    messages,
    tools,
    parameters: parametersOf({ parameters: without(metadata, ['context', 'tools', ...unsure]) }),
    pictures: new Map(),
  })
  const lacking = wordsIn(traced.not_held).flatMap((word) => NAMES[word] ?? [])
  return {
    request: { method: 'POST', url: NEUTRAL, body: { kind: 'json', value, layout: {} } },
    without: [...lacking, ...unsure],
  }
}

/** What a trace can lack of a prompt that can be asked nevertheless. */
const NAMES: Readonly<Record<string, string>> = {
  instructions: 'instructions',
  tools: 'tools',
  parameters: 'parameters',
  limit: 'the limit of tokens',
}

/** The place of the exchange with which the conversation of another begins; -1 where none is found. */
function firstOf(exchange: Exchange, earlier: readonly Exchange[]): number {
  const begins = (one: Exchange): boolean => {
    const context = contextOf(one)
    return (context?.before[0] ?? context?.answer)?.index === 0
  }
  return begins(exchange) ? earlier.length : earlier.findLastIndex(begins)
}

/** Why a prompt cannot be asked as its trace holds it. */
function whyNotHeld(
  exchange: Exchange,
  chain: readonly Exchange[],
  messages: readonly Message[],
): string | undefined {
  const lacks = new Set(wordsIn(tracedIn(exchange)!.not_held))
  if (lacks.has('messages') || !contextOf(exchange)) return 'its trace does not hold what was said'
  if (chain.length === 0 || chain.some((one) => !contextOf(one)))
    return 'the beginning of its conversation is no part of the cassette'
  if (lacks.has('answer')) return 'its trace does not hold the answer'
  if (lacks.has('files')) return 'its trace does not hold a file that was sent'
  if (chain.some((one) => wordsIn(tracedIn(one)?.not_held).includes('arguments')))
    return 'its trace does not hold the arguments of a call'
  const [open] = openCalls(messages)
  if (open !== undefined) return `its trace does not hold the result of ${open}`
  const calls = exchange.response.tool_calls ?? []
  if (lacks.has('tools') && (calls.length > 0 || messages.some(({ role }) => role === 'tool')))
    return 'its trace does not hold the tools that are called'
  const said = JSON.stringify([messages, exchange.response])
  const cuts = chain.flatMap((one) => tracedIn(one)?.cut ?? []).flat()
  const cut = cuts.find((one) => isJsonObject(one) && said.includes(inJson(one.text ?? null)))
  return cut === undefined ? undefined : 'its trace holds a text that was cut or redacted'
}

function whyNotComparable({ response }: Exchange, said: unknown): string | undefined {
  const status = 'status' in response ? response.status : undefined
  if (response.error !== undefined || (status ?? 200) >= 400)
    return `its answer is an error${status === undefined ? '' : `, ${status}`}`
  const [secret] = placeholdersIn(JSON.stringify(said))
  return secret && `it held a secret that is not stored: ${secret.whole}`
}

/** A text as it stands in JSON, without its quotes. */
function inJson(text: JsonValue): string {
  return JSON.stringify(text).slice(1, -1)
}

function wordsIn(list: JsonValue | undefined): string[] {
  return Array.isArray(list) ? list.map(String) : []
}

/** The names of the calls without results. */
function openCalls(messages: readonly Message[]): string[] {
  return messages.flatMap(({ parts }, place) => {
    const calls = parts.flatMap((part) => (part.type === 'tool_call' ? part.name : []))
    const next = messages[place + 1]
    return calls.slice(next?.role === 'tool' ? next.parts.length : 0)
  })
}

/** What was said before the answer of the last of several exchanges, which go on from each other. */
function messagesOf(chain: readonly Exchange[]): Message[] {
  return chain.flatMap((exchange, place) => {
    const before = contextOf(exchange)?.before ?? []
    const said = before.flatMap(messagesIn)
    const { text, tool_calls: calls = [] } = exchange.response
    if (place === chain.length - 1) return said
    return [
      ...said,
      ...assistantMessages(
        text,
        calls.map(({ tool_name: name, parameters, result }) => ({ name, parameters, result })),
      ),
    ]
  })
}

function messagesIn(entry: ContextEntry): Message[] {
  const { text, call, result } = entryContent(entry)
  if (entry.role === 'assistant') return assistantMessages(text, call ? [{ ...call, result }] : [])
  return [{ role: entry.role, parts: [{ type: 'text', text }] }]
}

/** An answer, and the results of its calls. They have no ids: results follow their calls in order. */
function assistantMessages(
  text: string,
  calls: ReadonlyArray<{ name: string; parameters: JsonValue; result?: JsonValue | undefined }>,
): Message[] {
  const said: Part[] = text === '' ? [] : [{ type: 'text', text }]
  const called = calls.map(({ name, parameters }): Part => ({
    type: 'tool_call',
    name,
    arguments: parameters,
  }))
  const results = calls.flatMap(({ result }): Part[] =>
    result === undefined ? [] : [{ type: 'tool_call_response', result }],
  )
  return [
    ...(said.length + called.length > 0
      ? [{ role: 'assistant', parts: [...said, ...called] }]
      : []),
    ...(results.length > 0 ? [{ role: 'tool', parts: results }] : []),
  ]
}

/** Writes the prompt of a trace for the model that the user names, or says why nobody is asked. */
export function askTraced(
  request: WireRequest,
  models: ModelMap,
  at: string | undefined,
): { request: WireRequest } | { why: string } {
  const { model: own } = dialectOf(request).readPrompt(request)
  const model = models.get(own ?? '*') ?? models.get('*')
  if (model === undefined)
    return { why: 'it comes from a trace: name the model to ask, with --model or --map' }
  const address = addressToAsk(model, at)
  if (address === undefined)
    return {
      why: `nobody knows where ${layOutLine(model)} is asked: --endpoint takes the address of its chat completions, or messages`,
    }
  return translate(request, model, address, undefined)
}
