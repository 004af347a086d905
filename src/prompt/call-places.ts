import type { JsonObject } from '../json/json-value.ts'

/** A place in a body from which ids of tool calls can be reached. */
export interface CallPlace {
  fields: Map<string, CallPlace>
  /** The place of each element, if a list stands here. */
  items?: CallPlace
  /** Set where an id stands: whether its owner is of a type that names a call. */
  isCall?: (owner: JsonObject) => boolean
  /** Likewise: whether it is the result of a call that can lie at the provider. */
  isFar?: (owner: JsonObject) => boolean
}

/** A wire format: the objects that name calls, and those of their fields that hold an id. */
interface Format {
  in: string[]
  /** A path and, if other objects may stand there too, the types of those that name a call. */
  ids: Array<[path: string, types?: RegExp]>
  /** The types of results whose call can lie at the provider, which holds the conversation. */
  far?: RegExp
}

/** OpenAI's chat completions, Cohere, Mistral, Ollama, Cloudflare, Hugging Face. */
const CHAT: Format = {
  in: ['messages.*'],
  ids: [['tool_calls.*.id'], ['tool_call_id']],
}

/** Anthropic's messages. */
const ANTHROPIC: Format = {
  in: ['messages.*.content.*'],
  ids: [
    ['id', /^(?:\w+_)?tool_use$/],
    ['tool_use_id', /^(?:\w+_)?tool_result$/],
    ['caller.tool_id', /^code_execution_/],
  ],
}

/** Amazon Bedrock's Converse. */
const CONVERSE: Format = {
  in: ['messages.*.content.*'],
  ids: [['toolUse.toolUseId'], ['toolResult.toolUseId']],
}

/** OpenAI's responses, conversations and Realtime, and Gemini's interactions. */
const ITEMS: Format = {
  in: ['input', 'input.*', 'input.*.content.*', 'items.*', 'item', 'response.input.*'],
  ids: [
    [
      'call_id',
      /^(?:(?:function|custom_tool|computer|local_shell|shell|apply_patch)_call(?:_output)?|tool_search_(?:call|output)|function_result)$/,
    ],
    ['id', /^function_call$/],
  ],
  far: /_output$|^function_result$/,
}

/** Gemini's contents, also those of Live. */
const GEMINI: Format = {
  in: ['contents.*.parts.*', 'clientContent.turns.*.parts.*', 'client_content.turns.*.parts.*'],
  ids: [
    ['functionCall.id'],
    ['functionResponse.id'],
    ['function_call.id'],
    ['function_response.id'],
  ],
}

/** Vercel's gateway. */
const VERCEL: Format = { in: ['prompt.*.content.*'], ids: [['toolCallId', /^tool-/]] }

/** Mistral's conversations. */
const MISTRAL: Format = {
  in: ['inputs.*'],
  ids: [['tool_call_id', /^function\.(?:call|result)$/]],
  far: /^function\.result$/,
}

/** OpenAI's assistants. */
const ASSISTANTS: Format = { in: ['tool_outputs.*'], ids: [['tool_call_id']], far: /^/ }

const ALL = [CHAT, ANTHROPIC, CONVERSE, ITEMS, GEMINI, VERCEL, MISTRAL, ASSISTANTS]

/**
 * The places of call ids in the body of a request, from the outermost object inwards; `*` is any element of a list. A
 * field of the same name anywhere else is data, and counts: in the input of a tool, in its result, in metadata, in a
 * schema. A call and its result are both here or neither is, since otherwise a result could change its call unseen.
 */
export const REQUEST: CallPlace = placesOf({
  '': ALL,
  // Batches of Anthropic and of Gemini.
  'requests.*.params': [ANTHROPIC],
  'batch.inputConfig.requests.requests.*.request': [GEMINI],
  'batch.input_config.requests.requests.*.request': [GEMINI],
  // The requests whose tokens Gemini and Amazon Bedrock count.
  generateContentRequest: [GEMINI],
  generate_content_request: [GEMINI],
  'input.converse': [CONVERSE],
  // Alibaba Cloud's own form of a chat.
  input: [CHAT],
  // Cloudflare's gateway gets one request for each provider that it may ask.
  '*.query': ALL,
})

/** The places of call ids in a line of JSON lines, which may be one request of a batch. */
export const LINE: CallPlace = placesOf({
  '': ALL,
  body: [CHAT, ANTHROPIC, ITEMS],
  request: [GEMINI],
  modelInput: [CHAT, ANTHROPIC, CONVERSE],
})

/** The place of a body without call ids. */
export const NOWHERE: CallPlace = { fields: new Map() }

/** Whether the id of a call stands at a place of its owner. */
export function isCallAt(place: CallPlace | undefined, owner: JsonObject): boolean {
  return place?.isCall?.(owner) ?? false
}

/** Whether the result of a call that can lie at the provider stands at a place of its owner. */
export function isFarAt(place: CallPlace | undefined, owner: JsonObject): boolean {
  return place?.isFar?.(owner) ?? false
}

function placesOf(formats: Record<string, Format[]>): CallPlace {
  const top: CallPlace = { fields: new Map() }
  for (const [root, found] of Object.entries(formats))
    for (const { in: owners, ids, far } of found)
      for (const owner of owners)
        for (const [id, types] of ids) {
          const place = [root, owner, id].filter(Boolean).join('.').split('.').reduce(placeIn, top)
          place.isCall = isEither(place.isCall, types)
          if (far) place.isFar = isEither(place.isFar, far)
        }
  return top
}

/** Whether an owner is of one of the types, or passes the test of the formats before. */
function isEither(
  before: CallPlace['isCall'],
  types: RegExp | undefined,
): (owner: JsonObject) => boolean {
  return (owner) => !types || types.test(String(owner.type)) || (before?.(owner) ?? false)
}

function placeIn(place: CallPlace, key: string): CallPlace {
  if (key === '*') return (place.items ??= { fields: new Map() })
  const known = place.fields.get(key) ?? { fields: new Map() }
  place.fields.set(key, known)
  return known
}
