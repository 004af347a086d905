import { isJsonObject, type JsonObject } from '../../../json/json-value.ts'
import { numberIn } from './held.ts'

/** The names for how many choices a request asks: of OpenAI, of Gemini, and of OpenTelemetry's conventions. */
const COUNT = /^(?:n|candidate_?count|choice\.count)$/i

/** Where the parameters of Gemini stand in its requests, and in the calls of its SDKs. */
const CONFIG = /^(?:generation_?)?config$/i

/** How many choices a request asks for; `undefined` where the trace does not tell it. */
export function choicesAsked(parameters: JsonObject = {}): number | undefined {
  for (const [name, value] of Object.entries(parameters)) {
    const inner = CONFIG.test(name) && isJsonObject(value) ? choicesAsked(value) : undefined
    const count = COUNT.test(name) ? numberIn(value) : inner
    if (count !== undefined) return count
  }
  return undefined
}
