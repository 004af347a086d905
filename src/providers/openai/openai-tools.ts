import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Tool } from '../../prompt/prompt.ts'
import { defined, stringOf, stringsIn, type Field } from '../fields.ts'
import { unknownTool } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'

/**
 * Reads the definition of a tool, whether it stands under `function` as in chat completions or flat as
 * in responses; a tool that the provider runs itself is named by its type.
 */
export function readOpenAiTool(value: Field): Tool {
  if (!isJsonObject(value)) return unknownTool(value ?? null)
  const rest = new Remainder()
  const field = value.type === 'custom' ? 'custom' : 'function'
  const nested = value[field]
  if (!isJsonObject(nested)) return readDefinition(value, value.type, rest)
  rest.keep('', value, [field, ...(value.type === 'function' ? ['type'] : [])])
  return readDefinition(nested, undefined, rest)
}

function readDefinition(tool: JsonObject, type: Field, rest: Remainder): Tool {
  const name = stringOf(tool.name) ?? stringOf(type) ?? ''
  const read = stringsIn(tool, 'name', 'description')
  if (tool.parameters !== undefined) read.push('parameters')
  // A type is read if it is the default one, `function`, or gave the name.
  if (type === 'function' || type === name) read.push('type')
  rest.keep('', tool, read)
  const { parameters } = tool
  return defined({ name, description: stringOf(tool.description), parameters, ...rest.extra })
}
