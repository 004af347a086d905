import { numberOf } from '../dialects/kit/fields.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import type { ToolCall } from '../prompt/completion.ts'
import { findBase64 } from '../prompt/base64.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { sha256 } from '../prompt/sha256.ts'

/** A place in a picture, in pixels from its upper left corner. */
export interface Point {
  x: number
  y: number
  /** The size of the plane of its coordinates, if that is not the picture itself. */
  plane?: Plane
}

interface Plane {
  width: number
  height: number
}

/** Gemini's tools for browsers count from 0 to 1,000 on any display. Its own tools need no declaration. */
const PER_MILLE = /^(?:(?:click|hover|type_text|scroll)_at|drag_and_drop)$/

type Call = Pick<ToolCall, 'name' | 'arguments'>

/**
 * The points that tool calls name after each picture of a conversation and before the next one: in the prompt, and
 * for its last picture in the answer. They are stored by the hash of the picture; a picture that is sent twice has
 * the points of both places.
 *
 * @param answered the calls of the answer
 */
export function pointsByPicture(
  { messages, tools }: Prompt,
  answered: readonly Call[],
): ReadonlyMap<string, readonly Point[]> {
  const points = new Map<string, Point[]>()
  let current: Point[] = []
  const display = displayIn(tools as unknown as JsonValue)
  const declared = new Set(tools.map((tool) => tool.name))
  const name = (call: Call): void => {
    const isPerMille = PER_MILLE.test(call.name) && !declared.has(call.name)
    const plane = isPerMille ? { width: 1_000, height: 1_000 } : display
    for (const point of pointsIn(call.arguments)) current.push(plane ? { ...point, plane } : point)
  }
  const show = (value: JsonValue): void => {
    for (const hash of picturesIn(value)) {
      current = points.get(hash) ?? []
      points.set(hash, current)
    }
  }
  for (const { parts, extra = {} } of messages) {
    for (const part of parts) {
      if (part.type === 'tool_call') name(part)
      else show(part)
    }
    show(extra)
  }
  answered.forEach(name)
  return points
}

/** Reads points in the spellings of providers' tools: `coordinate: [3, 4]`, `x` and `y`, `start_x` and `start_y`. */
export function pointsIn(value: JsonValue): Point[] {
  if (Array.isArray(value)) return value.flatMap(pointsIn)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, child]) => {
    if (/(?:^|_)coordinate$/.test(key) && Array.isArray(child) && child.length === 2)
      return pointOf(child[0], child[1])
    if (/(?:^|_)x$/.test(key)) return pointOf(child, value[key.replace(/x$/, 'y')])
    return pointsIn(child)
  })
}

/** The size of the display that a computer-use tool declares. */
function displayIn(value: JsonValue): Plane | undefined {
  if (Array.isArray(value)) return value.map(displayIn).find((plane) => plane !== undefined)
  if (!isJsonObject(value)) return undefined
  const width = numberOf(value.display_width_px ?? value.display_width)
  const height = numberOf(value.display_height_px ?? value.display_height)
  return width && height ? { width, height } : displayIn(Object.values(value))
}

function pointOf(x: JsonValue | undefined, y: JsonValue | undefined): Point[] {
  const [across, down] = [numberOf(x), numberOf(y)]
  return across === undefined || down === undefined ? [] : [{ x: across, y: down }]
}

/** Pictures may stand deep in the result of a tool, and in fields that no dialect reads. */
function picturesIn(value: JsonValue): string[] {
  if (typeof value === 'string') {
    const content = findBase64(value)
    return content ? [sha256(content.base64)] : []
  }
  if (Array.isArray(value)) return value.flatMap(picturesIn)
  if (!isJsonObject(value)) return []
  if (value.type === 'blob' && typeof value.hash === 'string') return [value.hash]
  return Object.values(value).flatMap(picturesIn)
}
