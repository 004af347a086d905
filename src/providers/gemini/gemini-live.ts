import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message, Part, Prompt } from '../../prompt/prompt.ts'
import type { AnswerFormat } from '../kit/read-answer.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, jsonObject, objectOf, stringOf, unlessEmpty } from '../fields.ts'
import { messageOf } from '../kit/messages.ts'
import { geminiFormat, writeGeminiAnswer } from './gemini-generate.ts'
import { camelCase, readGeminiContent, readGeminiPart, readGeminiTalk } from './gemini-prompt.ts'
import { Remainder } from '../kit/remainder.ts'
import { isOnSocket, onlyEvent, readSocketAnswer, unmarked } from '../kit/socket.ts'
import { Taken } from '../kit/taken.ts'
import { writeAnswer } from '../kit/write-answer.ts'

const PATH = /\/ws\/google\.ai\.generativelanguage\.\w+\.GenerativeService\.BidiGenerateContent/

/** Gemini Live: each message of the client is a prompt. */
export const geminiLive: Dialect = {
  name: 'gemini-live',

  claims: (request) => isOnSocket(request, PATH),

  readPrompt(request) {
    const body = bodyOf(request)
    const [kind = 'connect'] = Object.keys(body)
    const { provider } = readEnvelope(request, kind, [])
    const prompt: Prompt = { provider, operation: kind, parameters: {}, messages: [], tools: [] }
    const rest = new Remainder()
    for (const [name, value] of Object.entries(body)) {
      const isKnown = isJsonObject(value) && Object.hasOwn(READERS, camelCase(name))
      const reader = isKnown ? READERS[camelCase(name)] : undefined
      if (reader) reader(value as JsonObject, prompt, rest, name)
      else rest.keep('', { [name]: value }, [])
    }
    return { ...prompt, parameters: rest.extra.extra ?? {} }
  },

  readCompletion: (response) => readSocketAnswer(response, FORMAT),

  /** Writes the events of a streamed generateContent, each as a binary message. */
  writeCompletion(completion, request) {
    const url = new URL('/models/live:streamGenerateContent?alt=sse', request.url).href
    const { error: _, ...whole } = completion
    const { body } = writeGeminiAnswer(whole, { ...request, method: 'POST', url })
    const events = body.kind === 'events' ? body.events : []
    const lines = events.map((event) =>
      serverMessageOf(objectOf(typeof event === 'string' ? null : event.data)),
    )
    return writeAnswer(completion, { lines: lines.map((line) => ({ '@json': line })) })
  },
}

type Reader = (value: JsonObject, prompt: Prompt, rest: Remainder, name: string) => void

const READERS: Record<string, Reader> = {
  setup(value, prompt, rest, name) {
    const setup = new Taken(value)
    const { messages, tools } = readGeminiTalk(setup)
    for (const message of messages) prompt.messages.push(message)
    prompt.tools.push(...tools)
    const model = setup.text('model')
    if (model !== undefined) prompt.model = model.replace(/^models\//, '')
    setup.keep(name, rest)
  },

  clientContent(value, prompt, rest, name) {
    for (const turn of arrayOf(value.turns)) prompt.messages.push(readGeminiContent(turn))
    rest.keep(name, value, arrayOf(value.turns).length > 0 ? ['turns'] : [])
  },

  realtimeInput(value, prompt, rest, name) {
    const read: string[] = []
    for (const [field, input] of Object.entries(value)) {
      const message = readInput(input)
      if (!message) continue
      read.push(field)
      prompt.messages.push(message)
    }
    rest.keep(name, value, read)
  },

  toolResponse(value, prompt, rest, name) {
    const [field = ''] = Object.keys(value).filter((key) => camelCase(key) === 'functionResponses')
    const parts = arrayOf(value[field]).map((functionResponse) => ({ functionResponse }))
    if (parts.length > 0) prompt.messages.push(readGeminiContent({ parts }, 'tool'))
    rest.keep(name, value, parts.length > 0 ? [field] : [])
  },
}

/** Reads realtime input: a text, a piece of sound, or several. */
function readInput(input: JsonValue): Message | undefined {
  if (typeof input === 'string') return messageOf('user', input)
  const pieces = Array.isArray(input) ? input : [input]
  const rest = new Remainder()
  const parts = pieces.flatMap((inlineData, index): Part[] => {
    const part = readGeminiPart({ inlineData }, `[${index}]`, rest)
    return part ? [part] : []
  })
  if (parts.length === 0 || parts.length < pieces.length) return undefined
  return { role: 'user', parts, ...rest.extra }
}

/** The messages of the server are the pieces of a streamed generateContent. */
const FORMAT: AnswerFormat & Required<Pick<AnswerFormat, 'join'>> = {
  read: (body) => geminiFormat.read(body.candidates ? body : FORMAT.join(onlyEvent(body)).body),

  join(events) {
    const messages = events.map((event) => unmarked(event).data)
    const isWritten = messages.some(({ serverContent }) =>
      arrayOf(objectOf(objectOf(serverContent).modelTurn).parts).some(
        (part) => typeof objectOf(part).text === 'string' && objectOf(part).thought !== true,
      ),
    )
    const pieces = messages.map((message) => pieceOf(message, !isWritten))
    const joined = geminiFormat.join!(pieces.map((data) => ({ type: '', data, text: '' })))
    const isSilent = pieces.every(({ candidates }) => arrayOf(candidates).length === 0)
    // After a call, the model says nothing before it has the result.
    const calls = messages.some(({ toolCall }) => isJsonObject(toolCall))
    return { ...joined, whole: joined.whole || isSilent || calls }
  },
}

function pieceOf(message: JsonObject, isSpoken: boolean): JsonObject {
  const content = objectOf(message.serverContent)
  const { text } = objectOf(content.outputTranscription)
  const parts = [
    ...arrayOf(objectOf(content.modelTurn).parts),
    ...(isSpoken && typeof text === 'string' ? [{ text }] : []),
    ...arrayOf(objectOf(message.toolCall).functionCalls).map((functionCall) => ({ functionCall })),
  ]
  const ends = ['interrupted', 'turnComplete'].find((name) => content[name] === true)
  const { responseTokenCount = null, ...counted } = objectOf(message.usageMetadata)
  const said = parts.length > 0 || ends
  return jsonObject({
    candidates: said ? [{ content: { parts }, finishReason: ends ?? null }] : undefined,
    usageMetadata: jsonObject({
      ...counted,
      candidatesTokenCount: responseTokenCount ?? undefined,
    }),
  })
}

function serverMessageOf({ candidates, usageMetadata }: JsonObject): JsonObject {
  const [candidate] = arrayOf(candidates).map(objectOf)
  const parts = arrayOf(objectOf(candidate?.content).parts).map(objectOf)
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
  const said = parts.filter(({ functionCall }) => functionCall === undefined)
  const reason = stringOf(candidate?.finishReason)
  const { candidatesTokenCount: responseTokenCount, ...counted } = objectOf(usageMetadata)
  const content = {
    modelTurn: said.length > 0 ? { role: 'model', parts: said } : undefined,
    interrupted: reason === 'interrupted' || undefined,
    turnComplete: (reason && reason !== 'interrupted') || undefined,
  }
  return jsonObject({
    toolCall: calls.length > 0 ? { functionCalls: calls } : undefined,
    serverContent: unlessEmpty(jsonObject(content)),
    usageMetadata: usageMetadata && jsonObject({ ...counted, responseTokenCount }),
  })
}
