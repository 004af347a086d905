import type { PromptSummary } from '../../cassette/cassette.ts'
import { toldTools } from '../../conversation/step.ts'
import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import { equal } from '../../json/walk.ts'
import type { Prompt, Tool } from '../../prompt/prompt.ts'

/** Whether a request has the tools that are told, in any order, and no others. */
export function hasTools({ metadata }: PromptSummary, asked: Prompt): boolean {
  const tools = toldTools(metadata)
  if (!tools) return true
  return (
    tools.length === asked.tools.length &&
    tools.every((tool) => asked.tools.some((other) => isSameTool(tool, other)))
  )
}

/** Whether a tool is the same in two formats. Only what is told of it counts. */
function isSameTool(told: Tool, other: Tool): boolean {
  if (told.name !== other.name) return false
  const isDescribed = told.description === undefined || told.description === other.description
  const schema = told.parameters
  return (
    isDescribed &&
    (schema === undefined || equal(schemaOf(schema), schemaOf(other.parameters ?? {})))
  )
}

/** A schema without what SDKs add to it for their provider. */
function schemaOf(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema
  const { $schema: _, ...rest } = schema
  return rest
}

/** The tools of a request with those that are told in the place of what differs. */
export function toolsMeant({ metadata }: PromptSummary, asked: Prompt): Tool[] {
  const tools = toldTools(metadata)
  if (!tools) return asked.tools
  const meant = tools.map((tool) => {
    const other = asked.tools.find(({ name }) => name === tool.name)
    return other && isSameTool(tool, other) ? other : { ...other, ...tool }
  })
  const places = new Map(asked.tools.map(({ name }, place) => [name, place]))
  return meant.toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0))
}
