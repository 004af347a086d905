import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { equal } from '../json/walk.ts'

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

/** Further parameters of requests, each with one name. */
const OTHERS = [
  'frequency_penalty',
  'generation_config',
  'logit_bias',
  'logprobs',
  'min_p',
  'modalities',
  'output_config',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning',
  'repetition_penalty',
  'response_format',
  'response_mime_type',
  'response_schema',
  'safety_settings',
  'service_tier',
  'stream',
  'temperature',
  'text',
  'thinking',
  'thinking_config',
  'tool_choice',
  'tools',
  'top_logprobs',
  'truncation',
  'user',
]

const known = new Set([...meanings.keys(), ...OTHERS])

/** Whether a name is that of a parameter of some format. Histories of other programs note more than these. */
export function isParameterName(name: string): boolean {
  return known.has(inSnakeCase(name))
}

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
  return other !== undefined && equal(plain(one), plain(other))
}

function plain(value: JsonValue): JsonValue {
  let one = value
  while (Array.isArray(one) && one.length === 1) one = one[0]!
  return isRawNumber(one) ? Number(one.rawJSON) : one
}

function namesIn(asked: JsonObject): string[] {
  return Object.entries(asked).flatMap(([name, value]) =>
    isJsonObject(value) ? [name, ...Object.keys(value).map((inner) => `${name}.${inner}`)] : [name],
  )
}

function meaningOf(name: string): string {
  const spelled = inSnakeCase(name)
  return meanings.get(spelled) ?? spelled
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
