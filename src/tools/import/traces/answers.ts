import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import { isAssistant, type Message, type Part } from '../../../prompt/prompt.ts'
import { defined, objectOf, unlessEmpty } from '../../../providers/fields.ts'
import { numberIn } from './held.ts'
import { heldMessage, stringIn, textMessage } from './messages.ts'
import type { HeldAnswer, HeldChoice } from './model-call.ts'

/** An answer in any spelling that tracers use: the body that a provider sent, messages, or a text. */
export function heldAnswer(value: JsonValue | undefined): HeldAnswer | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return { text: value }
  if (Array.isArray(value)) return readList(value)
  if (!isJsonObject(value)) return { text: String(value) }
  return readBody(value)
}

function readList(list: readonly JsonValue[]): HeldAnswer | undefined {
  if (list.length === 0) return undefined
  // Choices stand beside each other, and items of one answer after each other.
  const choices = list.filter(isJsonObject).filter((one) => isJsonObject(one.message))
  if (choices.length === list.length) return ofChoices(choices)
  const generations = list[0]
  if (Array.isArray(generations)) return readList(generations)
  const messages = list.map(heldMessage)
  // Each message with a reason for its end is a choice.
  const reasons = list.filter(isJsonObject).flatMap((one) => stringIn(one, 'finish_reason') ?? [])
  if (reasons.length > 1)
    return withOthers(ofMessages(messages.slice(0, 1), reasons.slice(0, 1)), messages.slice(1))
  return ofMessages(messages, reasons)
}

/** Where the message of an answer stands in the bodies of providers and of tracers. */
function readBody(body: JsonObject): HeldAnswer | undefined {
  const usage = usageIn(body.usage ?? body.usage_metadata ?? body.usageMetadata)
  const read = answerIn(body)
  return read && (usage ? { ...read, usage } : read)
}

function answerIn(body: JsonObject): HeldAnswer | undefined {
  const { choices, candidates, generations, output, outputs, message, messages } = body
  const { content, object } = body
  if (Array.isArray(choices)) return ofChoices(choices.filter(isJsonObject))
  if (Array.isArray(candidates)) return ofCandidates(candidates.filter(isJsonObject))
  if (Array.isArray(generations)) return ofGenerations(generations)
  if (Array.isArray(output)) {
    const { incomplete_details: details, status } = body
    return ofMessages(
      output.map(heldMessage),
      reasonsOf(isJsonObject(details) ? details.reason : status),
    )
  }
  if (isJsonObject(message) && body.role === undefined)
    return ofMessages([heldMessage(message)], [])
  if (Array.isArray(messages) && body.role === undefined) return ofLast(messages.map(heldMessage))
  const inner = output ?? outputs
  if (object === undefined && content === undefined && inner !== undefined) return heldAnswer(inner)
  const isBare = body.role === undefined && body.type === 'message'
  const said = isBare ? { role: 'assistant', ...body } : body
  return ofMessages([heldMessage(said)], reasonsOf(body.stop_reason ?? body.finish_reason))
}

/** The last that the assistant says: graphs have the whole conversation there. */
function ofLast(messages: readonly Message[]): HeldAnswer {
  const before = messages.findLastIndex((one) => !isAssistant(one))
  return ofMessages(messages.slice(before + 1), [])
}

function ofChoices(choices: readonly JsonObject[]): HeldAnswer | undefined {
  const [first, ...others] = inPlace(choices)
  if (!first) return undefined
  const { finish_reason: reason } = first
  // LangSmith's merging of streams leaves the whole choice there.
  const told = isJsonObject(reason) ? reason.finish_reason : reason
  const said = (choice: JsonObject): Message =>
    heldChoice(choice.message ?? choice.delta ?? choice.text ?? '')
  return withOthers(ofMessages([said(first)], reasonsOf(told)), others.map(said))
}

/** Choices in the order of their numbers. Those without numbers stand in order. */
function inPlace(choices: readonly JsonObject[]): JsonObject[] {
  const placeOf = ({ index }: JsonObject): number => numberIn(index) ?? 0
  return choices.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function heldChoice(value: JsonValue): Message {
  return typeof value === 'string' ? textMessage('assistant', value) : heldMessage(value)
}

/** An answer with its further choices. Some tracers have the results of tools among them. */
function withOthers(answer: HeldAnswer, others: readonly Message[]): HeldAnswer {
  const said = others.filter((one) => isAssistant(one) || one.role === 'unknown')
  const choices = said.map((one): HeldChoice => ofMessages([one], []))
  return choices.length > 0 ? { ...answer, otherChoices: choices } : answer
}

function ofCandidates(candidates: readonly JsonObject[]): HeldAnswer | undefined {
  const [first, ...others] = inPlace(candidates)
  if (!first) return undefined
  const said = ({ content }: JsonObject): Message => heldChoice(content ?? '')
  return withOthers(ofMessages([said(first)], reasonsOf(first.finishReason)), others.map(said))
}

/** LangChain's answers: a list for each prompt, with a generation for each choice. */
function ofGenerations(generations: readonly JsonValue[]): HeldAnswer | undefined {
  const [batch] = generations
  const [first, ...others] = (Array.isArray(batch) ? batch : generations).filter(isJsonObject)
  if (!first) return undefined
  const info = objectOf(first.generationInfo ?? first.generation_info)
  const reason = info.finish_reason ?? info.stop_reason
  const said = ({ message, text = '' }: JsonObject): Message =>
    heldChoice(isJsonObject(message) ? message : text)
  return withOthers(ofMessages([said(first)], reasonsOf(reason)), others.map(said))
}

function reasonsOf(reason: JsonValue | undefined): string[] {
  return typeof reason === 'string' ? [reason] : []
}

export function ofMessages(messages: readonly Message[], reasons: readonly string[]): HeldAnswer {
  return ofParts(
    messages.flatMap(({ parts }) => parts),
    reasons,
  )
}

export function ofParts(parts: readonly Part[], reasons: readonly string[]): HeldAnswer {
  const texts = parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? part.text : []))
  const thoughts = parts.flatMap((part) => (part.type === 'reasoning' ? part.text : []))
  const calls = parts.flatMap((part) =>
    part.type === 'tool_call'
      ? { id: part.id, tool_name: part.name, parameters: part.arguments }
      : [],
  )
  return defined({
    text: texts.join('\n\n'),
    reasoning: unlessEmpty(thoughts)?.join('\n\n'),
    tool_calls: unlessEmpty(calls),
    finish_reasons: unlessEmpty([...reasons]),
  })
}

/** The names of the counts of tokens; the first that has a number is taken. */
const COUNTS = {
  input_tokens: 'input_tokens prompt_tokens promptTokens inputTokens input promptTokenCount',
  output_tokens:
    'output_tokens completion_tokens completionTokens outputTokens output candidatesTokenCount',
  cache_read_input_tokens:
    'cache_read_input_tokens prompt_cached_tokens cachedInputTokens input_cached_tokens prompt_details.cache_read',
  cache_creation_input_tokens: 'cache_creation_input_tokens prompt_cache_creation_tokens',
  reasoning_output_tokens:
    'reasoning_output_tokens completion_reasoning_tokens reasoningTokens output_reasoning_tokens completion_details.reasoning',
}

/** The counts of tokens in any spelling; `undefined` where there are none. */
export function usageIn(value: JsonValue | undefined): HeldAnswer['usage'] | undefined {
  if (!isJsonObject(value)) return undefined
  const counts = Object.entries(COUNTS).flatMap(([count, places]) => {
    const numbers = places.split(' ').map((place) => numberIn(value[place]))
    const number = numbers.find((one) => one !== undefined)
    return number === undefined || number < 0 ? [] : [[count, number] as const]
  })
  return unlessEmpty(Object.fromEntries(counts))
}

/** The counts of tokens that are told; `undefined` where there are none. */
export function usageTold(counts: NonNullable<HeldAnswer['usage']>): HeldAnswer['usage'] {
  return unlessEmpty(defined(counts))
}
