import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { sameJson } from '../../json/same-json.ts'

/** The names of one parameter in several formats; a dot leads into an object. Camel and snake case are one name. */
const NAMES = [
  [
    'max_tokens',
    'max_completion_tokens',
    'max_gen_len',
    'max_new_tokens',
    'max_output_tokens',
    'max_token_count',
    'max_tokens_to_sample',
    'num_predict',
  ],
  ['top_p', 'p'],
  ['top_k', 'k'],
  ['stop', 'stop_sequences'],
  ['seed', 'random_seed'],
  ['n', 'candidate_count', 'num_generations'],
  [
    'reasoning_effort',
    'reasoning.effort',
    'output_config.effort',
    'thinking_config.thinking_level',
  ],
  ['thinking_budget', 'thinking.budget_tokens', 'thinking_config.thinking_budget'],
  ['verbosity', 'text.verbosity'],
]

const meanings = new Map(NAMES.flatMap((names) => names.map((name) => [name, names[0]!])))

/** The name that a request has for a parameter of another format; `undefined` if it lacks the parameter. */
export function nameAsked(written: string, asked: JsonObject): string | undefined {
  if (Object.hasOwn(asked, written)) return written
  const meaning = meaningOf(written)
  return namesIn(asked).find((name) => meaningOf(name) === meaning)
}

/** The value of a parameter by a name from {@link nameAsked}. */
export function valueAsked(name: string, asked: JsonObject): JsonValue | undefined {
  if (Object.hasOwn(asked, name)) return asked[name]
  const [outer = '', inner = ''] = name.split('.')
  return isJsonObject(asked[outer]) ? asked[outer][inner] : undefined
}

/** Whether two values mean the same: a number in any spelling, one stop sequence or a list of it. */
export function meansSame(one: JsonValue, other: JsonValue | undefined): boolean {
  return other !== undefined && sameJson(plain(one), plain(other))
}

function plain(value: JsonValue): JsonValue {
  if (isRawNumber(value)) return Number(value.rawJSON)
  return Array.isArray(value) && value.length === 1 ? plain(value[0]!) : value
}

function namesIn(asked: JsonObject): string[] {
  return Object.entries(asked).flatMap(([name, value]) =>
    isJsonObject(value) ? [name, ...Object.keys(value).map((inner) => `${name}.${inner}`)] : [name],
  )
}

function meaningOf(name: string): string {
  const spelled = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return meanings.get(spelled) ?? spelled
}
