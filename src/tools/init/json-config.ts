import { findNodeAtLocation, type Node, parse, type ParseError, parseTree } from 'jsonc-parser'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'

const OPTIONS = { allowTrailingComma: true }

/** The value of a config file in JSON, which may have comments and trailing commas; `undefined` for any other text. */
export function parseConfig(text: string): JsonValue | undefined {
  const errors: ParseError[] = []
  const value = parse(text, errors, OPTIONS) as JsonValue | undefined
  return errors.length > 0 ? undefined : value
}

/**
 * Adds items to the end of a list in a config file, and leaves its comments and its layout as they are. A list that is
 * not there is created. Returns `undefined` for a text in which the list cannot be found.
 */
export function addToList(
  text: string,
  path: readonly string[],
  items: readonly string[],
): string | undefined {
  const root = parseConfig(text) === undefined ? undefined : parseTree(text, [], OPTIONS)
  return root && insert(text, root, path, items)
}

function insert(
  text: string,
  node: Node,
  [key, ...rest]: readonly string[],
  items: readonly string[],
): string | undefined {
  if (node.type !== (key === undefined ? 'array' : 'object')) return undefined
  if (key === undefined)
    return insertPart(text, node, items.map((item) => JSON.stringify(item)).join(', '))
  const field = findNodeAtLocation(node, [key])
  if (field) return insert(text, field, rest, items)
  const value = rest.reduceRight<JsonObject | JsonValue[]>(
    (inner, name) => ({ [name]: inner }),
    [...items],
  )
  return insertPart(text, node, `${JSON.stringify(key)}: ${onOneLine(value)}`)
}

function insertPart(text: string, { type, offset, children = [] }: Node, part: string): string {
  const last = children.at(-1)
  if (!last) return splice(text, offset + 1, type === 'array' ? part : `\n  ${part}\n`)
  const line = text.slice(text.lastIndexOf('\n', last.offset - 1) + 1, last.offset)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return splice(text, last.offset + last.length, `,${/\S/.test(line) ? ' ' : eol + line}${part}`)
}

function splice(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at)
}

function onOneLine(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
  const fields = Object.entries(value as JsonObject)
  return `{ ${fields.map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`).join(', ')} }`
}
