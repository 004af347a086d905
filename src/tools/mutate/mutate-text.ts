import type { WrittenResponse } from '../../cassette/cassette.ts'
import { isJsonObject, tryParseJson, type JsonObject } from '../../json/json-value.ts'
import { anotherType } from './mutate-calls.ts'
import type { Changed } from './mutant.ts'

const REFUSAL = "I'm sorry, but I can't help with that."

/** An evasive answer in another script. */
const FOREIGN = 'ご質問ありがとうございます。確認のうえ、改めてご連絡いたします。'

/** The variants of an answer with typical mistakes in its text. */
export function mutateText(response: WrittenResponse): Changed[] {
  const { text, tool_calls: calls = [] } = response
  const say = (said: string): WrittenResponse => ({ ...response, text: said })
  const { tool_calls: _, finish_reasons: __, ...rest } = response
  const refusal = { what: 'it refuses', response: { ...rest, text: REFUSAL } }
  const empty = { what: 'it is empty', response: { ...rest, text: '' } }
  if (text.trim() === '') return calls.length > 0 ? [refusal, empty] : []
  const value = readObject(text)
  return [
    refusal,
    empty,
    ...(value ? mutateJson(text, value) : mutateWords(text)).map(({ what, said }) => ({
      what,
      response: say(said),
    })),
  ]
}

function mutateWords(text: string): Array<{ what: string; said: string }> {
  const cut = text.slice(0, Math.ceil(text.length / 2))
  return [
    ...(cut === text ? [] : [{ what: 'its text ends in the middle', said: cut }]),
    { what: 'it answers in another language', said: FOREIGN },
  ]
}

function mutateJson(text: string, value: JsonObject): Array<{ what: string; said: string }> {
  const put = (changed: JsonObject): string => text.replace(/\{[^]*\}/, () => spell(changed, text))
  return [
    { what: 'its JSON is broken', said: text.slice(0, text.lastIndexOf('}')) },
    ...Object.keys(value).flatMap((key) => {
      const { [key]: field, ...others } = value
      return [
        { what: `its JSON has no "${key}"`, said: put(others) },
        {
          what: `its JSON has "${key}" of another type`,
          said: put({ ...value, [key]: anotherType(field!) }),
        },
      ]
    }),
  ]
}

/** Writes JSON in the layout of the text: on one line, or indented. */
function spell(value: JsonObject, text: string): string {
  return JSON.stringify(value, null, text.includes('\n') ? 2 : 0)
}

/** The JSON object that a text consists of, bare or in a fence of Markdown. */
function readObject(text: string): JsonObject | undefined {
  const [, fenced] = /^```(?:json)?\n([^]*)\n```$/.exec(text.trim()) ?? []
  const value = tryParseJson((fenced ?? text).trim())
  return value !== undefined && isJsonObject(value) ? value : undefined
}
