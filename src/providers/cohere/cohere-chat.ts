import type { JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import {
  errorMessage,
  readAnswer,
  type AnswerEvent,
  type JoinedAnswer,
} from '../kit/read-answer.ts'
import { CallFragments } from '../kit/call-fragments.ts'
import { readCohereUsage } from './cohere-usage.ts'
import { writeCohereAnswer } from './cohere-write.ts'
import { readContent, reasoningIn, reasonsOf, textIn } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { Drafts } from '../kit/drafts.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, known, listsIn, numberOf, objectOf, stringOf, type Field } from '../fields.ts'
import { hasRole } from '../kit/messages.ts'
import { readOpenAiCall, readOpenAiMessage } from '../openai/openai-messages.ts'
import { readOpenAiPart } from '../openai/openai-parts.ts'
import { readOpenAiTool } from '../openai/openai-tools.ts'
import { Remainder } from '../kit/remainder.ts'

/** Cohere's chat, in its second version; its messages are much like OpenAI's, its answers are not. */
export const cohereChat: Dialect = {
  name: 'cohere-chat',

  claims(request) {
    if (!isSentTo(request, '/v2/chat')) return false
    const { model, messages } = bodyOf(request)
    return typeof model === 'string' && hasRole(arrayOf(messages)[0])
  },

  readPrompt(request) {
    const body = bodyOf(request)
    return {
      ...readEnvelope(request, 'chat', listsIn(body, 'messages', 'tools')),
      messages: arrayOf(body.messages).map(readOpenAiMessage),
      tools: arrayOf(body.tools).map(readOpenAiTool),
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion: writeCohereAnswer,
}

function read(body: JsonObject): Completion {
  const message = objectOf(body.message)
  const rest = new Remainder()
  const parts = readContent(message.content, 'content', rest, readOpenAiPart)
  const plan = stringOf(message.tool_plan)
  const thoughts = [reasoningIn(parts), plan].filter(Boolean)
  return {
    text: textIn(parts),
    reasoning: thoughts.length > 0 ? thoughts.join('\n\n') : undefined,
    toolCalls: arrayOf(message.tool_calls).flatMap((call) => readOpenAiCall(call, '', rest) ?? []),
    finishReasons: reasonsOf(body.finish_reason),
    usage: readCohereUsage(body.usage),
    error: body.error ? errorMessage(body.error) : undefined,
  }
}

/** One block of a streamed answer, as received so far. */
interface Draft {
  type: string
  text: string
}

function join(events: AnswerEvent[]): JoinedAnswer {
  const drafts = new Drafts<Draft>()
  const calls = new CallFragments()
  let plan = ''
  let ending: JsonObject = {}
  for (const { type, data } of events) {
    const index = numberOf(data.index) ?? 0
    const delta = objectOf(data.delta)
    const message = objectOf(delta.message)
    plan += stringOf(message.tool_plan) ?? ''
    if (type === 'content-start' || type === 'content-delta') {
      addTo(drafts, index, objectOf(message.content))
    }
    if (type === 'tool-call-start' || type === 'tool-call-delta') {
      calls.add({ index, ...objectOf(message.tool_calls) })
    }
    if (type === 'message-end') ending = { ...ending, ...known(delta) }
  }
  const content = drafts
    .inOrder()
    .map(({ type, text }) => ({ type, [type === 'thinking' ? type : 'text']: text }))
  return {
    body: { ...ending, message: { content, tool_plan: plan, tool_calls: calls.joined() } },
    whole: events.some(({ type }) => type === 'message-end'),
  }
}

function addTo(drafts: Drafts<Draft>, index: number, content: JsonObject): void {
  const thinks = content.type === 'thinking' || content.thinking !== undefined
  const draft = drafts.at(index, () => ({ type: thinks ? 'thinking' : 'text', text: '' }))
  draft.text += textOf(content.thinking) + textOf(content.text)
}

function textOf(value: Field): string {
  return stringOf(value) ?? ''
}
