import { nameAsked, valueAsked } from '../../../providers/parameter-names.ts'
import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../../json/json-value.ts'
import type { Part, Prompt } from '../../../prompt/prompt.ts'
import { holdsFile, isPicture } from './carried-pictures.ts'

/** The tool that the model has to call. */
export type ToolChoice = 'auto' | 'none' | 'any' | { name: string }

/** The parameters of a prompt that every wire format has. */
interface Carried {
  temperature?: JsonValue
  topP?: JsonValue
  maxTokens?: JsonValue
  stop?: JsonValue[]
  choice?: ToolChoice
}

/** Reads the parameters that every wire format has; for all others the other model uses its defaults. */
export function carriedBy({ parameters }: Prompt): Carried {
  const value = (name: string): JsonValue | undefined => {
    const asked = nameAsked(name, parameters)
    const found = asked === undefined ? undefined : valueAsked(asked, parameters)
    return found === null ? undefined : found
  }
  const stop = value('stop')
  const carried = {
    temperature: value('temperature'),
    topP: value('top_p'),
    maxTokens: value('max_tokens'),
    stop: stop === undefined ? undefined : [stop].flat(),
    choice: choiceIn(parameters),
  }
  return Object.fromEntries(
    Object.entries(carried).filter(([, one]) => one !== undefined),
  ) as Carried
}

const CHOICES: Record<string, ToolChoice> = {
  auto: 'auto',
  none: 'none',
  any: 'any',
  required: 'any',
}

function choiceIn({ tool_choice: choice, toolConfig: config }: JsonObject): ToolChoice | undefined {
  if (typeof choice === 'string') return CHOICES[choice]
  if (isJsonObject(choice)) {
    const named = isJsonObject(choice.function) ? choice.function.name : choice.name
    return typeof named === 'string' ? { name: named } : CHOICES[String(choice.type)]
  }
  const calling = isJsonObject(config) ? config.functionCallingConfig : undefined
  return isJsonObject(calling) ? CHOICES[String(calling.mode).toLowerCase()] : undefined
}

/** Why a prompt cannot be written in another wire format; `undefined` if it can. */
export function whyNotCarried({ messages, tools, operation }: Prompt): string | undefined {
  if (operation !== 'chat' && operation !== 'generate_content')
    return 'it is no conversation, which other providers could be asked'
  const own = tools.find(({ parameters, description }) => !parameters && !description)
  if (own) return `it has a tool that its provider runs: ${own.name}`
  const parts = messages.flatMap(({ role, parts: all }) =>
    // Pictures are carried in messages of the user alone.
    all.filter((one) => !CARRIED.has(one.type) && !(role === 'user' && isPicture(one))),
  )
  if (parts[0]) return `it says something that only its provider takes: ${nameOf(parts[0])}`
  const given = messages.flatMap(({ parts: all }) =>
    all.filter((part) => part.type === 'tool_call_response' && holdsFile(part.result)),
  )
  return given.length > 0
    ? 'it has a tool result with a file, which not every provider takes'
    : undefined
}

const CARRIED = new Set(['text', 'reasoning', 'tool_call', 'tool_call_response'])

function nameOf(part: Part): string {
  if (part.type === 'blob') return part.mimeType ?? 'a file'
  if (part.type === 'uri') return part.uri
  const { value } = part as { value?: JsonValue }
  return isJsonObject(value) && typeof value.type === 'string' ? value.type : part.type
}

/** Joins the texts of a message. */
export function joinTexts(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => (part.type === 'text' && part.text !== '' ? part.text : []))
    .join('\n\n')
}

/** The result of a tool as a text. */
export function resultText(result: JsonValue): string {
  return typeof result === 'string' ? result : JSON.stringify(result)
}

/** Converts a number with its own spelling to a plain one. */
export function plainNumber(value: JsonValue): JsonValue {
  return isRawNumber(value) ? Number(value.rawJSON) : value
}

/** Gives ids to calls and their results. In formats without ids, the results follow their calls in order. */
export class CarriedCallIds {
  #next: number = 1
  readonly #open: Array<{ name: string; id: string }> = []

  /** The id of a call. */
  ofCall(name: string, id: string | undefined): string {
    const known = id ?? `call_${this.#next++}`
    this.#open.push({ name, id: known })
    return known
  }

  /** The id of the call that a result belongs to. */
  ofResult(id: string | undefined): string {
    const index = this.#open.findIndex(
      (call) => id === undefined || call.id === id || call.name === id,
    )
    const [call] = index < 0 ? [] : this.#open.splice(index, 1)
    return call?.id ?? id ?? `call_${this.#next++}`
  }
}
