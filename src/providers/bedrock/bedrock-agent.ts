import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import type { Completion, ToolCall } from '../../prompt/completion.ts'
import type { Frame } from '../../wire/amazon-frames.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { readAnswer, type AnswerEvent, type JoinedAnswer } from '../kit/read-answer.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, pathOf, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, defined, objectOf, stringOf } from '../fields.ts'
import { messageOf } from '../kit/messages.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'

const PATH =
  /\/agents\/[^/]+\/agentAliases\/[^/]+\/sessions\/[^/]+\/text\/?$|\/retrieveAndGenerate(?:Stream)?\/?$|\/knowledgebases\/[^/]+\/retrieve\/?$/

/** The agents and the knowledge bases of Amazon Bedrock. */
export const bedrockAgent: Dialect = {
  name: 'bedrock-agent',

  claims(request) {
    const isThere = PATH.test(pathOf(request))
    const { field, inner } = saidIn(bodyOf(request))
    return request.method === 'POST' && isThere && (field !== undefined || inner)
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const { field, text } = saidIn(body)
    const messages = text === undefined ? [] : [messageOf('user', text)]
    const envelope = readEnvelope(request, 'invoke_agent', field === undefined ? [] : [field])
    return { ...envelope, messages, tools: [] }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion: write,
}

/** Finds the field with the question: a text for an agent, an object for a knowledge base. */
function saidIn(body: JsonObject): { field?: string; text?: string; inner: boolean } {
  if (typeof body.inputText === 'string')
    return { field: 'inputText', text: body.inputText, inner: false }
  for (const field of ['input', 'retrievalQuery']) {
    const value = body[field]
    if (!isJsonObject(value) || typeof value.text !== 'string') continue
    const isAll = Object.keys(value).length === 1
    return isAll ? { field, text: value.text, inner: true } : { inner: true }
  }
  return { inner: body.sessionState !== undefined }
}

function read(body: JsonObject): Completion {
  const found = arrayOf(body.retrievalResults).map(
    (result) => stringOf(objectOf(objectOf(result).content).text) ?? '',
  )
  return {
    text: stringOf(objectOf(body.output).text) ?? found.join('\n\n'),
    toolCalls: arrayOf(body.calls).flatMap(readCalls),
    finishReasons: [],
  }
}

/** The calls that the agent asks the application to make. */
function readCalls(control: JsonValue): ToolCall[] {
  const { invocationId, invocationInputs } = objectOf(control)
  return arrayOf(invocationInputs).flatMap((input) => {
    const { functionInvocationInput: called, apiInvocationInput: api } = objectOf(input)
    const { function: name, apiPath, parameters } = objectOf(called ?? api)
    const fields = arrayOf(parameters).map(objectOf)
    const given = fields.map(
      ({ name: key, value }) => [stringOf(key) ?? '', value ?? null] as const,
    )
    const spelled = stringOf(name) ?? stringOf(apiPath)
    return spelled === undefined
      ? []
      : [
          defined({
            id: stringOf(invocationId),
            name: spelled,
            arguments: Object.fromEntries(given),
          }),
        ]
  })
}

function join(events: AnswerEvent[]): JoinedAnswer {
  let text = ''
  const calls: JsonObject[] = []
  for (const { type, data, text: said } of events) {
    if (type === 'chunk') text += chunkText(said)
    if (type === 'output') text += stringOf(data.text) ?? ''
    if (type === 'returnControl') calls.push(data)
  }
  // No event marks the end of an answer; an incomplete frame is broken.
  const whole =
    (text !== '' || calls.length > 0) &&
    !events.some(({ type, broken }) => broken || type === 'error')
  return { body: { output: { text }, calls }, whole }
}

/** The text of a chunk: decoded from base64, unless the reader of frames has decoded it already. */
function chunkText(said: string): string {
  const bytes = stringOf(objectOf(tryParseJson(said)).bytes)
  return bytes === undefined ? said : Buffer.from(bytes, 'base64').toString()
}

function write(completion: Completion, request: WireRequest): WireResponse {
  const { text, toolCalls } = completion
  const path = pathOf(request)
  if (path.includes('/retrieveAndGenerate') && !path.includes('Stream'))
    return writeAnswer(completion, { whole: { output: { text }, citations: [] } }, fail)
  if (path.includes('/knowledgebases/'))
    return writeAnswer(completion, { whole: { retrievalResults: [{ content: { text } }] } }, fail)
  const isAgent = path.includes('/agents/')
  const pieces = splitWords(text).map((piece): Frame =>
    isAgent
      ? { event: 'chunk', data: { bytes: Buffer.from(piece).toString('base64') } }
      : { event: 'output', data: { text: piece } },
  )
  const calls = toolCalls.map(({ id = 'call_1', name, arguments: given }): Frame => {
    const parameters = Object.entries(objectOf(given)).map(([key, value]) => ({ name: key, value }))
    const input = {
      functionInvocationInput: { actionGroup: 'written', function: name, parameters },
    }
    return { event: 'returnControl', data: { invocationId: id, invocationInputs: [input] } }
  })
  return writeAnswer(completion, { frames: [...pieces, ...calls] }, fail)
}

function fail(message: string): JsonObject {
  return { message }
}
