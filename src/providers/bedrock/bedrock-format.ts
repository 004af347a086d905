import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import {
  errorMessage,
  type AnswerEvent,
  type AnswerFormat,
  type JoinedAnswer,
} from '../kit/read-answer.ts'
import { readBedrockBlocks } from './bedrock-blocks.ts'
import { completionOf } from '../content.ts'
import { Drafts } from '../kit/drafts.ts'
import { counted, known, numberOf, objectOf, stringOf } from '../fields.ts'
import { Remainder } from '../kit/remainder.ts'

/** The answer format of Converse. Amazon's own models use it also when they are invoked. */
export const bedrockFormat: AnswerFormat = { read, join }

function read(body: JsonObject): Completion {
  const message = objectOf(objectOf(body.output).message)
  const parts = readBedrockBlocks(message.content, new Remainder())
  return {
    ...completionOf(parts, body.stopReason),
    usage: readBedrockUsage(objectOf(body.usage)),
    error: body.output === undefined ? errorMessage(body.Message) : undefined,
  }
}

/** Bedrock counts cached tokens beside the input tokens, not among them. */
export function readBedrockUsage(usage: JsonObject): Usage | undefined {
  const input = numberOf(usage.inputTokens, usage.inputTokenCount)
  const cacheRead = numberOf(usage.cacheReadInputTokens, usage.cacheReadInputTokenCount)
  const cacheCreation = numberOf(usage.cacheWriteInputTokens, usage.cacheWriteInputTokenCount)
  return counted({
    inputTokens: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheCreation ?? 0),
    outputTokens: numberOf(usage.outputTokens, usage.outputTokenCount),
    cacheReadInputTokens: cacheRead,
    cacheCreationInputTokens: cacheCreation,
  })
}

/** One block of a streamed answer, as received so far. */
interface Draft {
  start: JsonObject
  text?: string
  reasoning?: string
  /** The JSON text of a tool's input. */
  input?: string
}

function join(events: AnswerEvent[]): JoinedAnswer {
  const drafts = new Drafts<Draft>()
  let stopReason: JsonValue = null
  let usage: JsonObject = {}
  for (const { type, data } of events) {
    const index = numberOf(data.contentBlockIndex) ?? 0
    if (type === 'contentBlockStart') drafts.set(index, { start: objectOf(data.start) })
    if (type === 'contentBlockDelta') addTo(drafts, index, objectOf(data.delta))
    if (type === 'messageStop') stopReason = data.stopReason ?? null
    usage = { ...usage, ...known(objectOf(data.usage)) }
  }
  const content = drafts.inOrder().map(blockOf)
  return {
    body: { output: { message: { role: 'assistant', content } }, stopReason, usage },
    whole: events.some(({ type }) => type === 'messageStop'),
  }
}

function addTo(drafts: Drafts<Draft>, index: number, delta: JsonObject): void {
  const draft = drafts.at(index, () => ({ start: {} }))
  const reasoning = stringOf(objectOf(delta.reasoningContent).text)
  const input = objectOf(delta.toolUse).input
  if (typeof delta.text === 'string') draft.text = (draft.text ?? '') + delta.text
  if (reasoning !== undefined) draft.reasoning = (draft.reasoning ?? '') + reasoning
  if (typeof input === 'string') draft.input = (draft.input ?? '') + input
  // Nova sends the input as a value when it is invoked without Converse.
  else if (isJsonObject(input)) draft.input = JSON.stringify(input)
}

function blockOf({ start, text, reasoning, input }: Draft): JsonObject {
  if (isJsonObject(start.toolUse)) {
    const value = input === undefined || input === '' ? {} : (tryParseJson(input) ?? input)
    return { toolUse: { ...start.toolUse, input: value } }
  }
  if (reasoning !== undefined) return { reasoningContent: { reasoningText: { text: reasoning } } }
  return text === undefined ? start : { text }
}
