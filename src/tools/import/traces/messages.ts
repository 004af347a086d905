import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../../json/json-value.ts'
import type { Message, Part, Tool } from '../../../prompt/prompt.ts'
import { arrayOf, defined, type Field, objectOf } from '../../../providers/fields.ts'

/** The messages of a list in any spelling that tracers use; `undefined` for what is no list of messages. */
export function heldMessages(value: Field): Message[] | undefined {
  if (value === undefined || value === null || isPrinted(value)) return undefined
  if (typeof value === 'string') return value === '' ? undefined : [textMessage('user', value)]
  // LangChain has a list for each prompt of a batch.
  if (Array.isArray(value))
    return (value.length === 1 && Array.isArray(value[0]) ? value[0] : value).map(heldMessage)
  if (isJsonObject(value)) return [heldMessage(value)]
  return undefined
}

/** Messages as a program prints them, of which nobody knows where one ends: Python's `repr`, or lines with roles. */
const PRINTED =
  /^(?:role='\w+' content=|(?:system|developer): [^]*\n(?:user|assistant|human|ai): )/i

function isPrinted(value: JsonValue): boolean {
  const [first] = Array.isArray(value) ? value : [value]
  return typeof first === 'string' && PRINTED.test(first)
}

/** The roles that stand in the place of the usual ones. */
const ROLES: Record<string, string> = {
  human: 'user',
  ai: 'assistant',
  model: 'assistant',
  function: 'tool',
  humanmessage: 'user',
  aimessage: 'assistant',
  aimessagechunk: 'assistant',
  systemmessage: 'system',
  toolmessage: 'tool',
}

/** Reads one message, in whichever spelling. What is not known stays as it is. */
export function heldMessage(value: JsonValue): Message {
  if (typeof value === 'string') return textMessage('user', value)
  if (!isJsonObject(value)) return { role: 'unknown', parts: [{ type: 'other', value }] }
  const message = unwrapped(value)
  const item = readItem(message)
  if (item) return item
  const word = stringIn(message, 'role', 'type') ?? 'unknown'
  const role = ROLES[word.toLowerCase()] ?? word
  const id = stringIn(message, 'tool_call_id', 'toolCallId')
  const name = stringIn(message, 'name')
  // LangChain's older place of calls.
  const more = objectOf(message.additional_kwargs)
  const parts = [
    ...thoughtsIn(message),
    ...contentIn(message),
    ...[...arrayOf(message.tool_calls), ...arrayOf(more.tool_calls)].map(readPart).map(asCall),
    ...(isJsonObject(message.function_call) ? [readCall(message.function_call)] : []),
  ]
  const said = withoutTwice(parts)
  if (role !== 'tool' || said.some(({ type }) => type === 'tool_call_response'))
    return { role, parts: said, ...(name && role !== 'tool' ? { extra: { name } } : {}) }
  // The id of a result has another name in the events of OpenTelemetry.
  const called = id ?? stringIn(message, 'id')
  return {
    role,
    parts: [
      {
        type: 'tool_call_response',
        id: called,
        result: resultIn(message.content),
      },
    ],
  }
}

/** What stands around a message: OpenInference's name, and LangChain's serialisations. */
function unwrapped(value: JsonObject): JsonObject {
  if (isJsonObject(value.message)) return value.message
  if (isJsonObject(value.kwargs) && Array.isArray(value.id)) {
    const type = `${value.id.at(-1)}`
    return { ...value.kwargs, type }
  }
  if (isJsonObject(value.data) && typeof value.type === 'string' && 'content' in value.data)
    return { ...value.data, type: value.type }
  return value
}

/** An item of OpenAI's responses that is no message. */
function readItem(value: JsonObject): Message | undefined {
  const type = stringIn(value, 'type')
  if (type === undefined || typeof value.role === 'string') return undefined
  if (type === 'function_call' || type === 'custom_tool_call')
    return { role: 'assistant', parts: [readCall(value)] }
  if (/^(?:function_call_(?:output|result)|custom_tool_call_output)$/.test(type))
    return { role: 'tool', parts: [readResponse(value)] }
  if (type === 'reasoning')
    return {
      role: 'assistant',
      parts: [...arrayOf(value.summary), ...arrayOf(value.content)].map(readPart),
    }
  return undefined
}

function thoughtsIn(message: JsonObject): Part[] {
  const text = stringIn(message, 'reasoning_content', 'reasoning')
  return text ? [{ type: 'reasoning', text }] : []
}

/** The fields with the parts of a message; the first that has any is read. */
const CONTENTS = ['parts', 'contents', 'content']

function contentIn(message: JsonObject): Part[] {
  for (const name of CONTENTS) {
    const content = message[name]
    if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
    if (Array.isArray(content)) return content.map(readPart)
    if (isJsonObject(content)) return [readPart(content)]
  }
  return []
}

/** How the parts of a message are spelled: by their type, or by the field that only one of them has. */
const PARTS: ReadonlyArray<[type: RegExp, read: (part: JsonObject) => Part]> = [
  [/^(?:reasoning|thinking|reasoning_text|summary_text)$/, readThought],
  [/^(?:(?:input_|output_)?text|refusal)$/, readText],
  [
    /^(?:tool[-_]call|tool_use|server_tool_use|function_call|function|functioncall|tooluse)$/,
    readCall,
  ],
  [
    /^(?:tool_call_response|tool[-_]result|tool_result|function_response|functionresponse|toolresult)$/,
    readResponse,
  ],
  [
    /^(?:image|image_url|input_image|file|input_file|document|blob|uri|audio|input_audio)$/,
    readFile,
  ],
]

/** The fields that tell what a part without a type is. */
const TYPE_OF_FIELD: Record<string, string> = {
  tool_call: 'tool_call',
  functionCall: 'function_call',
  function_call: 'function_call',
  functionResponse: 'function_response',
  function_response: 'function_response',
  toolUse: 'tool_use',
  toolResult: 'tool_result',
  function: 'function',
  text: 'text',
  inlineData: 'blob',
  fileData: 'uri',
}

function readPart(value: JsonValue): Part {
  if (typeof value === 'string') return { type: 'text', text: value }
  if (!isJsonObject(value)) return { type: 'other', value }
  const part = partIn(value)
  const type =
    stringIn(part, 'type') ??
    TYPE_OF_FIELD[Object.keys(part).find((key) => TYPE_OF_FIELD[key]) ?? '']
  const [, read] = PARTS.find(([known]) => known.test((type ?? '').toLowerCase())) ?? []
  return read ? read(part) : { type: 'other', value }
}

/** The part inside of its name. */
function partIn(value: JsonObject): JsonObject {
  const content = value.message_content
  // OpenInference has the call beside the type of the part.
  const outer = isJsonObject(content) ? { ...value, ...content } : value
  for (const name of ['tool_call', 'functionCall', 'functionResponse', 'toolUse', 'toolResult']) {
    const inner = outer[name]
    if (isJsonObject(inner)) return { type: name.toLowerCase(), ...inner }
  }
  return outer
}

function readText(part: JsonObject): Part {
  const text = stringIn(part, 'text', 'content', 'refusal')
  return text === undefined ? { type: 'other', value: part } : { type: 'text', text }
}

function readThought(part: JsonObject): Part {
  const text = stringIn(part, 'text', 'thinking', 'content', 'reasoning')
  return text === undefined ? { type: 'other', value: part } : { type: 'reasoning', text }
}

function readCall(part: JsonObject): Part {
  const inner = objectOf(part.function)
  const id = stringIn(part, 'call_id', 'callId', 'toolCallId', 'toolUseId', 'id')
  const name = stringIn(part, 'name', 'toolName') ?? stringIn(inner, 'name') ?? ''
  // Without contents, tracers keep the names of calls alone.
  const given = part.arguments ?? part.args ?? part.input ?? inner.arguments ?? null
  return {
    type: 'tool_call',
    id,
    name,
    arguments: given === '' ? {} : parsed(given),
  }
}

function asCall(part: Part): Part {
  return part.type === 'other' && isJsonObject(part.value) ? readCall(part.value) : part
}

function readResponse(part: JsonObject): Part {
  const id = stringIn(part, 'tool_use_id', 'toolUseId', 'call_id', 'callId', 'toolCallId', 'id')
  const result = part.result ?? part.response ?? part.output ?? part.content
  return { type: 'tool_call_response', id, result: resultIn(result) }
}

/** The result of a tool: a text where it is one in a list or in an object with its type. */
function resultIn(value: Field): JsonValue {
  if (Array.isArray(value) && value.length === 1) {
    const part = readPart(value[0]!)
    if (part.type === 'text') return part.text
  }
  if (!isJsonObject(value)) return value ?? null
  // The AI SDK says of which kind a result is.
  if (typeof value.type === 'string' && value.value !== undefined) return resultIn(value.value)
  return value.type === 'text' && typeof value.text === 'string' ? value.text : value
}

/** A file: its address, or what the tracer has put in its place. */
function readFile(part: JsonObject): Part {
  const address = [part.image_url, part.image, part.url, part.uri, part.file].find(
    (one) => one !== undefined,
  )
  const uri = isJsonObject(address) ? (address.url ?? address.file_data) : address
  return typeof uri === 'string' && /^https?:/.test(uri)
    ? { type: 'uri', uri }
    : { type: 'other', value: part }
}

/** Calls once that stand among the parts, and in a list of their own. */
function withoutTwice(parts: readonly Part[]): Part[] {
  const seen = new Set<string>()
  return parts.filter((part) => {
    if (part.type !== 'tool_call' || part.id === undefined) return true
    if (seen.has(part.id)) return false
    seen.add(part.id)
    return true
  })
}

/** The tools of a list, in any spelling; `undefined` where it is none. */
export function heldTools(value: Field): Tool[] | undefined {
  if (!Array.isArray(value)) {
    // The AI SDK's functions can be the fields of an object.
    return isJsonObject(value)
      ? heldTools(Object.entries(value).map(([name, one]) => named(name, one)))
      : undefined
  }
  return value.flatMap((one) => {
    const tool = typeof one === 'string' ? (tryParseJson(one) ?? null) : one
    return isJsonObject(tool) ? [readTool(tool)] : []
  })
}

function named(name: string, value: JsonValue): JsonValue {
  return isJsonObject(value) && value.name === undefined ? { name, ...value } : value
}

function readTool(value: JsonObject): Tool {
  const inner = value.tool ?? value.json_schema
  if (isJsonObject(inner)) return readTool(inner)
  if (typeof inner === 'string') return readTool((tryParseJson(inner) ?? {}) as JsonObject)
  if (isJsonObject(value.function)) return readTool(value.function)
  const description = stringIn(value, 'description')
  const parameters = [value.parameters, value.inputSchema, value.input_schema, value.args].find(
    (one) => one !== undefined && one !== null,
  )
  return defined({
    name: stringIn(value, 'name', 'type') ?? '',
    description,
    parameters: parameters && parsed(parameters),
  })
}

export function parsed(value: JsonValue): JsonValue {
  return typeof value === 'string' ? (tryParseJson(value) ?? value) : value
}

/** The texts of a message. */
export function textOfMessage({ parts }: Pick<Message, 'parts'>): string {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
}

export function textMessage(role: string, text: string): Message {
  return { role, parts: [{ type: 'text', text }] }
}

/** The first text that is not empty among several fields. */
export function stringIn(value: JsonObject, ...names: string[]): string | undefined {
  for (const name of names) {
    const field = value[name]
    if (typeof field === 'string' && field !== '') return field
  }
  return undefined
}
