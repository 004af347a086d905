import { OLDER_VERSION } from '../cassette/format/patterns.ts'
import { idOfPlace } from '../cassette/format/written-exchange.ts'
import { readIsoTime } from '../conversation/context/iso-time.ts'
import { isJsonObject, tryParseJson, type JsonObject, type JsonValue } from '../json/json-value.ts'

const OUR_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/

/**
 * Converts a history file as other programs spell it to the spelling of this package: its version, its date, fields
 * that are `null`, and parameters that are a text of JSON.
 *
 * @param notes gets a sentence for each change that a person may want to know
 */
export function withOurSpellings(text: string, notes: string[]): string {
  // The parser of cassettes reports invalid JSON.
  const value = tryParseJson(text.replace(/^\uFEFF/, ''))
  if (!isJsonObject(value)) return text
  const { exchanges } = value
  const ours = {
    ...value,
    ...ourVersion(value.version, notes),
    ...ourDate(value.timestamp, notes),
    ...(Array.isArray(exchanges)
      ? { exchanges: exchanges.map((exchange, index) => ourExchange(exchange, index, notes)) }
      : {}),
  }
  return JSON.stringify(ours)
}

function ourVersion(version: JsonValue | undefined, notes: string[]): JsonObject {
  if (typeof version !== 'string' || version === OLDER_VERSION || !/^1(\.0){0,2}$/.test(version))
    return {}
  notes.push(`The version ${version} is now ${OLDER_VERSION}.`)
  return { version: OLDER_VERSION }
}

/** Converts a timestamp, with or without a time zone, to UTC. */
function ourDate(timestamp: JsonValue | undefined, notes: string[]): JsonObject {
  if (typeof timestamp !== 'string' || OUR_TIME.test(timestamp)) return {}
  const time = readIsoTime(timestamp.replace(/^([\d-]+) /, '$1T'))
  if (Number.isNaN(time)) return {}
  const ours = new Date(time).toISOString()
  notes.push(`The timestamp ${timestamp} is now ${ours}.`)
  return { timestamp: ours }
}

/** Recorded exchanges are left alone: only this package writes them. */
function ourExchange(exchange: JsonValue, index: number, notes: string[]): JsonValue {
  if (!isJsonObject(exchange) || exchange.wire !== undefined) return exchange
  const { id, prompt, response, ...others } = exchange
  const name = typeof id === 'string' ? id : idOfPlace(index)
  return withoutNulls({
    id,
    ...(isJsonObject(prompt) ? { prompt: withoutNulls(prompt) } : { prompt }),
    ...(isJsonObject(response) ? { response: ourResponse(response, name, notes) } : { response }),
    ...others,
  })
}

function ourResponse(response: JsonObject, name: string, notes: string[]): JsonObject {
  const ours = withoutNulls(response)
  const { tool_calls: calls } = ours
  if (!Array.isArray(calls)) return ours
  return { ...ours, tool_calls: calls.map((call) => ourCall(call, name, notes)) }
}

/** Some providers send parameters as a text of JSON. Replayed as they stand, they would be in quotes twice. */
function ourCall(call: JsonValue, name: string, notes: string[]): JsonValue {
  if (!isJsonObject(call) || typeof call.parameters !== 'string') return call
  const parameters = tryParseJson(call.parameters)
  if (!isJsonObject(parameters)) return call
  notes.push(
    `${name}: the parameters of ${String(call.tool_name)} were a text of JSON; they are now an object.`,
  )
  return { ...call, parameters }
}

/** Some programs write every field, and `null` into the unused. */
function withoutNulls(fields: Partial<JsonObject>): JsonObject {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(given) as JsonObject
}
