import type { ToolCallSummary, WrittenResponse } from '../../cassette/cassette.ts'
import { isJsonObject, isRawNumber, type JsonValue } from '../../json/json-value.ts'
import type { Changed } from './mutant.ts'

/** The variants of an answer with typical mistakes in its tool calls. */
export function mutateCalls(response: WrittenResponse): Changed[] {
  const calls = response.tool_calls ?? []
  return calls.flatMap((call, index) => {
    const put = (...instead: ToolCallSummary[]): WrittenResponse =>
      withCalls(response, calls.toSpliced(index, 1, ...instead))
    const named = calls.length > 1 ? `call ${index + 1}, ${call.tool_name},` : call.tool_name
    return [
      { what: `${named} is not called`, response: put() },
      { what: `${named} is called twice`, response: put(call, call) },
      {
        what: `${named} is called by a name that no tool has`,
        response: put({ ...call, tool_name: `${call.tool_name}_v2` }),
      },
      ...mutateArguments(call).map(({ what, parameters }) => ({
        what: `${named} is called ${what}`,
        response: put({ ...call, parameters }),
      })),
    ]
  })
}

/** Sets the finish reason that fits the tool calls. */
function withCalls(response: WrittenResponse, calls: ToolCallSummary[]): WrittenResponse {
  const { tool_calls: _, finish_reasons: __, ...rest } = response
  return calls.length > 0 ? { ...rest, tool_calls: calls } : rest
}

function mutateArguments({
  parameters,
}: ToolCallSummary): Array<{ what: string; parameters: JsonValue }> {
  if (!isJsonObject(parameters)) return []
  return Object.entries(parameters).flatMap(([name, value]) => {
    const { [name]: _, ...others } = parameters
    const other = anotherValue(value)
    return [
      ...(other === undefined
        ? []
        : [{ what: `with another "${name}"`, parameters: { ...parameters, [name]: other } }]),
      { what: `without "${name}"`, parameters: others },
      {
        what: `with "${name}" of another type`,
        parameters: { ...parameters, [name]: anotherType(value) },
      },
    ]
  })
}

/** A value of the same type; `undefined` where there is none. */
function anotherValue(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (isRawNumber(value)) return 1
  if (typeof value === 'string') return value === '' ? 'something' : `${value} else`
  if (Array.isArray(value)) return value.length > 0 ? value.slice(0, -1) : undefined
  if (!isJsonObject(value)) return undefined
  const [key] = Object.keys(value)
  if (key === undefined) return undefined
  const { [key]: _, ...others } = value
  return others
}

/** A value of a type that a model confuses with the right one. */
export function anotherType(value: JsonValue): JsonValue {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || isRawNumber(value)) return 'null'
  return JSON.stringify(value)
}
