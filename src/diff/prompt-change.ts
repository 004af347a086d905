import type { JsonValue } from '../json/json-value.ts'
import type { Message, Part, Tool } from '../prompt/prompt.ts'
import type { Safe } from '../secrets/veil.ts'

/** One difference between two prompts: its place, and the content before and after. */
export type PromptChange =
  | { kind: 'added'; place: PromptPlace; after: Content }
  | { kind: 'removed'; place: PromptPlace; before: Content }
  | { kind: 'edited'; place: PromptPlace; before: Content; after: Content }
  /** The same message at another place of the conversation. */
  | { kind: 'moved'; place: MessagePlace; after: Content }

/** A change without secrets: nothing else is laid out. */
export type SafeChange = Safe<PromptChange>

/** The place of a change. Paths are written like `schema.required[0]`; an empty one means the whole. */
export type PromptPlace = FieldPlace | MessagePlace | ToolPlace

/** A field of the request: `model`, `temperature`, `response_format.type`. */
interface FieldPlace {
  area: 'field'
  path: string
}

/** A message, or what `part` and `path` name inside it. Numbers count from 1. */
export interface MessagePlace {
  area: 'message'
  role: string
  /** Its number in the recorded conversation; absent for an added message. */
  recorded?: number
  /** Its number in the received conversation; absent for a removed message. */
  received?: number
  part?: PartPlace
  path: string
  /** Unchanged messages between the change before and this one. */
  unchangedBefore: number
  /** Unchanged messages after the last change of the conversation; 0 on every other change. */
  unchangedAfter: number
}

/** A part of a message, where the message has several or its kind says more than the role. */
export interface PartPlace {
  type: Part['type']
  number: number
  /** How many parts the message has. */
  count: number
  /** The tool that the part calls. */
  tool?: string
}

/** A tool, or what `path` names inside it: `description`, `parameters.required[0]`. */
export interface ToolPlace {
  area: 'tool'
  tool: string
  path: string
}

/** The content of a place. */
export type Content =
  | { type: 'text'; text: string }
  | { type: 'value'; value: JsonValue }
  | { type: 'message'; message: Message }
  | { type: 'part'; part: Part }
  | { type: 'tool'; tool: Tool }

/** The change of a place whose content was added, removed or edited. */
export function changeOf<At extends PromptPlace>(
  place: At,
  before: Content | undefined,
  after: Content | undefined,
): PromptChange & { place: At } {
  if (before && after) return { kind: 'edited', place, before, after }
  return before ? { kind: 'removed', place, before } : { kind: 'added', place, after: after! }
}

/** The change of a text; none if it is the same, or absent on both sides. */
export function diffTexts(
  place: PromptPlace,
  before: string | undefined,
  after: string | undefined,
): PromptChange[] {
  return before === after ? [] : [changeOf(place, contentOf(before), contentOf(after))]
}

function contentOf(text: string | undefined): Content | undefined {
  return text === undefined ? undefined : { type: 'text', text }
}
