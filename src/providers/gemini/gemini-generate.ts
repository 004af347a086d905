import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { filesIn, partsIn, reasoningIn, textIn, toolCallsIn } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, jsonObject, known, numberOf, objectOf, stringOf } from '../fields.ts'
import { Drafts } from '../kit/drafts.ts'
import { bodyOf } from '../kit/envelope.ts'
import { type AnswerFormat, readAnswer } from '../kit/read-answer.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { geminiTarget, readGeminiPart, readGeminiPrompt, readGeminiTalk } from './gemini-prompt.ts'
import { GEMINI_RESPONSE } from './gemini-places.ts'
import { readUsage, writeUsage, type UsageFormat } from '../kit/usage.ts'

/** The reader of the answers of generateContent. */
export const geminiFormat: AnswerFormat = {
  joinsArrays: true,

  read(body) {
    const candidates = arrayOf(body.candidates).map(objectOf)
    const { parts: content } = objectOf(candidates[0]?.content)
    const parts = partsIn(content, readGeminiPart)
    const reasons = candidates.map(({ finishReason }) => finishReason)
    // A prompt that is refused for its content has no candidates.
    const { blockReason } = objectOf(body.promptFeedback)
    const finishReasons = [...reasons, blockReason].flatMap((reason) => reasonOf(reason) ?? [])
    return {
      // Files stand for the text only once the answer has ended: until then, text may follow.
      text: textIn(parts) || (finishReasons.length > 0 ? filesIn(parts) : ''),
      reasoning: reasoningIn(parts),
      toolCalls: toolCallsIn(parts),
      finishReasons,
      usage: readUsage(USAGE, body.usageMetadata),
    }
  },

  join(events) {
    const drafts = new Drafts<Draft>()
    let usageMetadata: JsonObject = {}
    let promptFeedback: JsonObject = {}
    for (const { data } of events) {
      usageMetadata = { ...usageMetadata, ...known(objectOf(data.usageMetadata)) }
      promptFeedback = { ...promptFeedback, ...objectOf(data.promptFeedback) }
      for (const candidate of arrayOf(data.candidates).map(objectOf)) {
        const index = numberOf(candidate.index) ?? 0
        const draft = drafts.at(index, () => ({ parts: [], finishReason: null }))
        for (const part of arrayOf(objectOf(candidate.content).parts)) addPart(draft.parts, part)
        draft.finishReason = candidate.finishReason ?? draft.finishReason
      }
    }
    const sorted = drafts.inOrder()
    const candidates = sorted.map(({ parts, finishReason }) => ({
      content: { parts },
      finishReason,
    }))
    const finished = sorted.length > 0 && sorted.every(({ finishReason }) => finishReason !== null)
    return {
      body: { candidates, usageMetadata, promptFeedback },
      whole: finished || promptFeedback.blockReason !== undefined,
    }
  },
}

/** Gemini's generateContent, of AI Studio and of Vertex. */
export const geminiGenerate: Dialect = {
  name: 'gemini-generate',
  places: GEMINI_RESPONSE,
  tooLong: 'MAX_TOKENS',
  choices: 'candidates',

  claims(request) {
    const { method } = geminiTarget(request)
    if (method !== 'generateContent' && method !== 'streamGenerateContent') return false
    const { contents } = bodyOf(request)
    return isJsonObject(contents) || arrayOf(contents).length > 0
  },

  readPrompt: (request) =>
    readGeminiPrompt(request, 'generate_content', bodyOf(request), readGeminiTalk),

  readCompletion: (response) => readAnswer(response, geminiFormat),

  writeCompletion: writeGeminiAnswer,
}

/** Some libraries send the number of a reason in the place of its name. */
function reasonOf(reason: JsonValue | undefined): string | undefined {
  return stringOf(reason) ?? numberOf(reason)?.toString()
}

/** Gemini counts thoughts beside the output, and the input of its tools beside the prompt. */
const USAGE: UsageFormat = {
  inputTokens: 'promptTokenCount',
  outputTokens: 'candidatesTokenCount',
  cacheReadInputTokens: 'cachedContentTokenCount',
  reasoningOutputTokens: 'thoughtsTokenCount',
  thoughtsBeside: true,
  alsoInput: 'toolUsePromptTokenCount',
  total: 'totalTokenCount',
}

/** One candidate of a streamed answer, as received so far. */
interface Draft {
  parts: JsonValue[]
  finishReason: JsonValue
}

/** Appends a text or a thought to the last part if that is of the same kind. */
function addPart(parts: JsonValue[], part: JsonValue): void {
  const last = objectOf(parts.at(-1))
  const { text, thought = false } = objectOf(part)
  const goesOn = typeof last.text === 'string' && (last.thought ?? false) === thought
  if (typeof text === 'string' && goesOn) last.text = `${last.text as string}${text}`
  else parts.push(isJsonObject(part) ? { ...part } : part)
}

/** Writes an answer of generateContent: at once, as events, or as an array of them. */
export function writeGeminiAnswer(completion: Completion, request: WireRequest): WireResponse {
  const { model = '', method } = geminiTarget(request)
  const { reasoning, text, toolCalls } = completion
  const calls = toolCalls.map((call) => {
    const { id, name, arguments: args } = call
    return { functionCall: jsonObject({ id, name, args }) }
  })
  const chunk = (parts: JsonObject[]): JsonObject => ({
    candidates: [{ content: { parts, role: 'model' }, index: 0 }],
    modelVersion: model,
  })
  if (method !== 'streamGenerateContent') {
    const parts = [...textParts(reasoning ? [reasoning] : [], true), ...textParts([text]), ...calls]
    const whole = { ...chunk(parts), ...ending(completion, parts) }
    return writeAnswer(completion, { whole }, writeFailure)
  }
  const parts = [
    ...textParts(splitWords(reasoning), true),
    ...textParts(splitWords(text)),
    ...calls,
  ]
  const values = [
    ...parts.map((part) => chunk([part])),
    { ...chunk([]), ...ending(completion, []) },
  ]
  const isSse = URL.parse(request.url)?.searchParams.get('alt') === 'sse'
  const written = isSse ? { events: values.map((data) => ({ data })) } : { list: values }
  return writeAnswer(completion, written, writeFailure)
}

function textParts(texts: string[], thought?: true): JsonObject[] {
  return texts.filter(Boolean).map((text) => jsonObject({ text, thought }))
}

/** The fields of the last chunk: the finish reasons, and the usage of all chunks. */
function ending({ finishReasons, incomplete, usage }: Completion, parts: JsonObject[]): JsonObject {
  const reasons = finishReasons.length > 0 || incomplete ? finishReasons : ['STOP']
  const [first, ...others] = reasons.map((finishReason, index) => ({
    content: { parts: index === 0 ? parts : [], role: 'model' },
    finishReason,
    index,
  }))
  return {
    ...(first ? { candidates: [first, ...others] } : {}),
    ...(usage ? { usageMetadata: writeUsage(USAGE, usage) } : {}),
  }
}

function writeFailure(message: string): JsonObject {
  return { error: { code: 400, message, status: 'INVALID_ARGUMENT' } }
}
