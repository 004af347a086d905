import { isJsonObject, isRawNumber, type JsonValue } from '../../json/json-value.ts'

/** A call as a transcript shows it. */
export interface ShownCall {
  mark: 'call' | 'text' | 'finished'
  /** The text of a call with which a model speaks. */
  text?: string
  /** The other parameters. */
  values: JsonValue
}

/** Reads a call. Recognizes those with which models speak and stop, by their names in the context format. */
export function readCall(name: string, parameters: JsonValue): ShownCall {
  if (name === 'finishRequest') return { mark: 'finished', values: parameters }
  if (name !== 'postMessage' || !isJsonObject(parameters))
    return { mark: 'call', values: parameters }
  const { text, ...values } = parameters
  return typeof text === 'string'
    ? { mark: 'text', text, values }
    : { mark: 'text', values: parameters }
}

/** Parameters in one line, `name: value, name: value`; `undefined` where one of them is no plain value. */
export function parametersOnLine(parameters: JsonValue): string | undefined {
  if (!isJsonObject(parameters)) return undefined
  const fields = Object.entries(parameters)
  if (!fields.every(([, value]) => isPlain(value))) return undefined
  return fields.map(([name, value]) => `${name}: ${print(value)}`).join(', ')
}

function isPlain(value: JsonValue): boolean {
  if (typeof value === 'string') return !/[\n\r]/.test(value)
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object' || item === null)
  return typeof value !== 'object' || value === null || isRawNumber(value)
}

/** Lists keep their brackets, and an empty text gets quotes. */
function print(value: JsonValue): string {
  if (typeof value === 'string') return value === '' ? '""' : value
  return isRawNumber(value) ? value.rawJSON : JSON.stringify(value)
}
