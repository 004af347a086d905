import type { JsonObject } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import { readAnswer, type AnswerEvent, type JoinedAnswer } from '../kit/read-answer.ts'
import { completionOf, readContent } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, counted, listsIn, numberOf, objectOf, stringOf } from '../fields.ts'
import { hasRole } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'
import { readVercelMessage, readVercelPart, readVercelTool } from './vercel-parts.ts'
import { writeVercelAnswer } from './vercel-write.ts'

/** The gateway of Vercel's AI SDK, which gets the model and the form of the answer in headers. */
export const vercelGateway: Dialect = {
  name: 'vercel-gateway',

  claims(request) {
    const [first] = arrayOf(bodyOf(request).prompt)
    return isSentTo(request, '/ai/language-model') && hasRole(first)
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const lists = listsIn(body, 'prompt', 'tools')
    const { model, ...envelope } = readEnvelope(request, 'chat', lists)
    const { 'ai-language-model-id': id = model, 'ai-language-model-streaming': streaming } =
      request.headers ?? {}
    const parameters: JsonObject = streaming === 'true' ? { stream: true } : {}
    if (model !== undefined && model !== id) parameters.model = model
    return {
      ...envelope,
      ...(id === undefined ? {} : { model: id }),
      parameters: { ...parameters, ...envelope.parameters },
      messages: arrayOf(body.prompt).map(readVercelMessage),
      tools: arrayOf(body.tools).map(readVercelTool),
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion: writeVercelAnswer,
}

function read(body: JsonObject): Completion {
  const parts = readContent(body.content, 'content', new Remainder(), readVercelPart)
  const reason = stringOf(objectOf(body.finishReason).unified) ?? body.finishReason
  return {
    ...completionOf(parts, reason),
    usage: readUsage(objectOf(body.usage)),
  }
}

/** Older releases have a number where newer ones have an object with its parts. */
function readUsage(usage: JsonObject): Usage | undefined {
  const input = objectOf(usage.inputTokens)
  const output = objectOf(usage.outputTokens)
  return counted({
    inputTokens: numberOf(usage.inputTokens, input.total),
    outputTokens: numberOf(usage.outputTokens, output.total),
    cacheReadInputTokens: numberOf(usage.cachedInputTokens, input.cacheRead),
    cacheCreationInputTokens: numberOf(input.cacheWrite),
    reasoningOutputTokens: numberOf(usage.reasoningTokens, output.reasoning),
  })
}

function join(events: AnswerEvent[]): JoinedAnswer {
  /** Texts and thoughts by their id, as received so far. */
  const open = new Map<string, JsonObject>()
  const content: JsonObject[] = []
  let ending: JsonObject = {}
  for (const { type, data } of events) {
    const [kind = '', step = ''] = /^(text|reasoning)-(\w+)$/.exec(type)?.slice(1) ?? []
    if (kind !== '') addPiece(open, content, kind, step, data)
    if (type === 'tool-call') content.push(data)
    if (type === 'finish') ending = { ...ending, ...data }
  }
  const { usage = {}, finishReason = null } = ending
  return {
    body: { content, usage, finishReason },
    whole: events.some(({ type }) => type === 'finish'),
  }
}

function addPiece(
  open: Map<string, JsonObject>,
  content: JsonObject[],
  kind: string,
  step: string,
  { id, delta }: JsonObject,
): void {
  const key = `${kind} ${stringOf(id) ?? ''}`
  const known = step === 'start' ? undefined : open.get(key)
  const part: JsonObject = known ?? { type: kind, text: '' }
  if (!known) content.push(part)
  open.set(key, part)
  part.text = `${part.text as string}${stringOf(delta) ?? ''}`
}
