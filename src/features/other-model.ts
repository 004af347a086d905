import { CassetteError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../json/json-value.ts'
import { jsonOf } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'
import { dialectOf } from '../providers/dialects.ts'

/** The replacement of each recorded model; `*` stands for all that are not named. */
export type ModelMap = ReadonlyMap<string, string>

/**
 * Reads `--model new` and `--model old=new`.
 *
 * @throws CassetteError `invalid-command` for an invalid pair.
 */
export function readModelMap(words: readonly string[]): ModelMap {
  const named = words.map((word) => {
    const [, old = '*', fresh] = /^(?:([^=\s]+)=)?([^=\s]+)$/.exec(word) ?? []
    if (fresh !== undefined) return [old, fresh] as const
    throw new CassetteError(
      'invalid-command',
      '--model takes a model, or the recorded model and another, such as --model gpt-5=gpt-6.',
    )
  })
  return new Map(named)
}

/** The replacement for the model of a request; `undefined` if the model stays the same. */
export function otherModelOf(request: WireRequest, map: ModelMap): string | undefined {
  const { model } = dialectOf(request).readPrompt(request)
  if (model === undefined) return undefined
  const other = map.get(model) ?? map.get('*')
  return other === model ? undefined : other
}

/** The model in the path of a wire format. */
const IN_PATH = /\/(models|tunedModels|deployments|model)\/([^/:]+)(?=[/:])/

/** The same request to another model of the same wire format. */
export function withModel(request: WireRequest, model: string): WireRequest {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(
    IN_PATH,
    (_, kind: string) => `/${kind}/${encodeURIComponent(model)}`,
  )
  const value = jsonOf(request.body)
  const body: JsonObject | undefined =
    isJsonObject(value) && typeof value.model === 'string' ? { ...value, model } : undefined
  return {
    ...request,
    url: url.href,
    ...(body ? { body: { kind: 'json', value: body, layout: {} } } : {}),
  }
}
