import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import {
  errorMessage,
  readAnswer,
  type AnswerEvent,
  type AnswerFormat,
  type JoinedAnswer,
} from '../kit/read-answer.ts'
import { CallFragments } from '../kit/call-fragments.ts'
import { describeFile, readContent, reasoningIn, textIn } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { Drafts } from '../kit/drafts.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, known, listsIn, numberOf, objectOf, stringOf, type Field } from '../fields.ts'
import { hasRole } from '../kit/messages.ts'
import { writeChatAnswer } from './openai-chat-write.ts'
import { writeChatPrompt } from './openai-prompt-write.ts'
import { readOpenAiCall, readOpenAiMessage } from './openai-messages.ts'
import { readOpenAiPart } from './openai-parts.ts'
import { readOpenAiTool } from './openai-tools.ts'
import { readOpenAiUsage } from './openai-usage.ts'
import { Remainder } from '../kit/remainder.ts'

/** The reader of chat completions. */
export const openaiChatFormat: AnswerFormat = { read, join }

/** The paths of chat completions at Writer, Pollinations, and the agents of Mistral. */
const OWN_PATHS = ['/v1/chat', '/openai', '/agents/completions']

/** OpenAI's chat completions, which most other providers use too. */
export const openaiChat: Dialect = {
  name: 'openai-chat',

  claims(request) {
    const { model, agent_id: agent, messages } = bodyOf(request)
    if (!arrayOf(messages).some(hasRole)) return false
    // A model is no condition: Azure has it in the path, and servers of one model need none.
    if (isSentTo(request, '/chat/completions')) return true
    // Some providers have a path of their own, on which a request has to name a model or an agent.
    return typeof (model ?? agent) === 'string' && OWN_PATHS.some((path) => isSentTo(request, path))
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const lists = listsIn(body, 'messages', 'tools')
    return {
      ...readEnvelope(request, 'chat', lists),
      messages: arrayOf(body.messages).map(readOpenAiMessage),
      tools: arrayOf(body.tools).map(readOpenAiTool),
    }
  },

  readCompletion: (response) => readAnswer(response, openaiChatFormat),

  writeCompletion: writeChatAnswer,
  writePrompt: writeChatPrompt,
}

function read(body: JsonObject): Completion {
  const choices = arrayOf(body.choices).map(objectOf)
  const [first] = choices
  const message = objectOf(first?.message ?? first?.delta)
  const rest = new Remainder()
  const parts = readContent(message.content, 'content', rest, readOpenAiPart)
  const calls = [...arrayOf(message.tool_calls), { function: message.function_call ?? null }]
  return {
    text: textIn(parts) || stringOf(message.refusal) || spokenIn(message.audio),
    reasoning: thoughtIn(message) ?? reasoningIn(parts),
    toolCalls: calls.flatMap((call) => readOpenAiCall(call, '', rest) ?? []),
    finishReasons: choices.flatMap((choice) => stringOf(choice.finish_reason) ?? []),
    usage: readOpenAiUsage(body.usage),
    error: first?.error ? errorMessage(first.error) : undefined,
  }
}

/** The transcript of speech, or else its size. */
function spokenIn(audio: Field): string {
  const { transcript, data } = objectOf(audio)
  if (transcript || typeof data !== 'string') return stringOf(transcript) ?? ''
  return describeFile('audio', Buffer.byteLength(data, 'base64'))
}

/** The same thought can stand under several names; the first that has it is enough. */
function thoughtIn(message: JsonObject): string | undefined {
  const details = arrayOf(message.reasoning_details).map(objectOf)
  return (
    stringOf(message.reasoning_content) ||
    stringOf(message.reasoning) ||
    details.map(({ text, summary }) => stringOf(text) ?? stringOf(summary) ?? '').join('') ||
    undefined
  )
}

/** One choice of a streamed answer, as received so far. */
interface Draft {
  text: string
  reasoning: string
  refusal: string
  transcript: string
  calls: CallFragments
  finishReason?: string
  error?: JsonValue
}

function join(events: AnswerEvent[]): JoinedAnswer {
  const drafts = new Drafts<Draft>()
  let usage: JsonObject = {}
  for (const { data } of events) {
    usage = {
      ...usage,
      ...known(objectOf(objectOf(data.x_groq).usage)),
      ...known(objectOf(data.usage)),
    }
    for (const choice of arrayOf(data.choices).map(objectOf)) {
      const index = numberOf(choice.index) ?? 0
      addTo(drafts.at(index, newDraft), choice)
    }
  }
  const sorted = drafts.inOrder()
  const finished = sorted.length > 0 && sorted.every((draft) => draft.finishReason !== undefined)
  return {
    body: { choices: sorted.map(choiceOf), usage },
    whole: finished || events.some((event) => event.text === '[DONE]' || isCount(event.data)),
  }
}

/** Whether a chunk holds nothing but usage, which comes at the end of a stream. */
function isCount({ choices, usage }: JsonObject): boolean {
  return Array.isArray(choices) && choices.length === 0 && isJsonObject(usage)
}

function newDraft(): Draft {
  return { text: '', reasoning: '', refusal: '', transcript: '', calls: new CallFragments() }
}

function addTo(draft: Draft, choice: JsonObject): void {
  const delta = objectOf(choice.delta ?? choice.message)
  const parts = readContent(delta.content, 'content', new Remainder(), readOpenAiPart)
  draft.text += textIn(parts)
  draft.reasoning += thoughtIn(delta) ?? reasoningIn(parts) ?? ''
  draft.refusal += stringOf(delta.refusal) ?? ''
  draft.transcript += stringOf(objectOf(delta.audio).transcript) ?? ''
  draft.finishReason = stringOf(choice.finish_reason) ?? draft.finishReason
  if (choice.error) draft.error = choice.error
  for (const call of arrayOf(delta.tool_calls)) draft.calls.add(objectOf(call))
  if (isJsonObject(delta.function_call))
    draft.calls.add({ index: 0, function: delta.function_call })
}

function choiceOf(draft: Draft): JsonObject {
  const message = {
    content: draft.text,
    reasoning_content: draft.reasoning,
    refusal: draft.refusal,
    audio: { transcript: draft.transcript },
    tool_calls: draft.calls.joined(),
  }
  return { message, finish_reason: draft.finishReason ?? null, error: draft.error ?? null }
}
