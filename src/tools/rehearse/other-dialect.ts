import { invalidCommand } from '../terminal/options.ts'
import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { everyValue } from '../../json/walk.ts'
import { type FilePart, isFilePart, type Part, type Prompt } from '../../prompt/prompt.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { PROVIDERS } from '../../providers/catalogue.ts'
import type { PlainPrompt } from '../../providers/dialect.ts'
import { dialectOf, dialects } from '../../providers/dialects.ts'
import { nameAsked, valueAsked } from '../../providers/parameter-names.ts'
import { jsonOf, type Body } from '../../wire/body.ts'
import type { WireRequest } from '../../wire/message.ts'
import { defined } from '../../providers/fields.ts'

/**
 * The address of a model that does not speak the wire format of a request; `undefined` if it does, or is unknown.
 *
 * @param at the address of the model, if the user names one
 */
export function addressOfModel(
  request: WireRequest,
  model: string,
  at?: string,
): string | undefined {
  if (at !== undefined) return at
  const family = familyOf(model)
  return family && !family.speak.test(dialectOf(request).name) ? family.address : undefined
}

/**
 * The address at which a model is asked; `undefined` if it is unknown.
 *
 * @param at the address of the model, if the user names one
 */
export function addressToAsk(model: string, at?: string): string | undefined {
  return at ?? familyOf(model)?.address
}

function familyOf(model: string) {
  return Object.values(PROVIDERS).find(({ models }) => models?.names.test(model))?.models
}

/**
 * Reads `--at`.
 *
 * @throws CassetteError `invalid-command` for an invalid address, or one of an unknown format.
 */
export function readAtOption(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && /\/(?:messages|completions)$/.test(url.pathname))
    return url.href
  throw invalidCommand(
    '--endpoint takes the whole address of chat completions or of messages, such as --endpoint https://openrouter.ai/api/v1/chat/completions.',
  )
}

/**
 * Writes the same prompt in the wire format of another provider.
 *
 * @param schema the response schema of the request
 */
export function translate(
  request: WireRequest,
  model: string,
  address: string,
  schema: JsonObject | undefined,
): { request: WireRequest } | { why: string } {
  const prompt = dialectOf(request).readPrompt(request)
  const why = whyNotCarried(prompt)
  if (why !== undefined) return { why }
  const pictures = picturesIn(prompt, request.body)
  if (!pictures) return { why: 'it has a picture in a form that cannot be handed over' }
  const isMessages = new URL(address).pathname.endsWith('/messages')
  const format = isMessages ? 'anthropic-messages' : 'openai-chat'
  const { messages, tools } = prompt
  const value = dialects.find(({ name }) => name === format)!.writePrompt!({
    model,
    messages,
    tools,
    parameters: parametersOf(prompt),
    schema,
    pictures,
  })
  return { request: { method: 'POST', url: address, body: { kind: 'json', value, layout: {} } } }
}

const CARRIED = new Set(['text', 'reasoning', 'tool_call', 'tool_call_response'])

/** Why a prompt cannot be written in another wire format; `undefined` if it can. */
function whyNotCarried({ messages, tools, operation }: Prompt): string | undefined {
  if (operation !== 'chat' && operation !== 'generate_content')
    return 'it is no conversation, which other providers could be asked'
  const own = tools.find(({ parameters, description }) => !parameters && !description)
  if (own) return `it has a tool that its provider runs: ${own.name}`
  const parts = messages.flatMap((message) => message.parts)
  const left = messages.flatMap(({ role, parts: all }) =>
    // Pictures are carried in messages of the user alone.
    all.filter((one) => !CARRIED.has(one.type) && !(role === 'user' && isPicture(one))),
  )
  if (left[0]) return `it says something that only its provider takes: ${nameOf(left[0])}`
  return parts.some((part) => part.type === 'tool_call_response' && holdsFile(part.result))
    ? 'it has a tool result with a file, which not every provider takes'
    : undefined
}

function nameOf(part: Part): string {
  if (part.type === 'blob') return part.mimeType ?? 'a file'
  if (part.type === 'uri') return part.uri
  const { value } = part as { value?: JsonValue }
  return isJsonObject(value) && typeof value.type === 'string' ? value.type : part.type
}

/** Whether a part is a picture that other providers accept too. */
function isPicture(part: Part): part is FilePart {
  return part.type === 'blob' && /^image\/(?:png|jpeg|gif|webp)$/.test(part.mimeType ?? '')
}

/** Whether the result of a tool holds a file; a prompt has the hash in its place. */
function holdsFile(result: JsonValue): boolean {
  return [result].flat().some(isFilePart)
}

/** The pictures of a request; `undefined` where one is not found in it as base64. */
function picturesIn({ messages }: Prompt, body: Body): PlainPrompt['pictures'] | undefined {
  const parts = messages.flatMap((message) => message.parts)
  const meant = new Set(parts.filter(isPicture).map(({ hash }) => hash))
  const found = new Map<string, string>()
  for (const value of everyValue(meant.size > 0 ? (jsonOf(body) ?? null) : null)) {
    if (typeof value !== 'string') continue
    const base64 = value.replace(/^data:[^,]*,/, '')
    const hash = sha256(base64)
    if (meant.has(hash)) found.set(hash, base64)
  }
  return found.size === meant.size ? found : undefined
}

/** The parameters that every wire format has; for all others the other model uses its defaults. */
export function parametersOf({
  parameters,
}: Pick<Prompt, 'parameters'>): PlainPrompt['parameters'] {
  const value = (name: string): JsonValue | undefined => {
    const asked = nameAsked(name, parameters)
    const found = asked === undefined ? undefined : valueAsked(asked, parameters)
    return isRawNumber(found) ? Number(found.rawJSON) : (found ?? undefined)
  }
  const stop = value('stop')
  return defined({
    temperature: value('temperature'),
    topP: value('top_p'),
    maxTokens: value('max_tokens'),
    stop: stop === undefined ? undefined : [stop].flat(),
    choice: choiceIn(parameters),
  }) as PlainPrompt['parameters']
}

const CHOICES: Record<string, PlainPrompt['parameters']['choice']> = {
  auto: 'auto',
  none: 'none',
  any: 'any',
  required: 'any',
}

function choiceIn({
  tool_choice: choice,
  toolConfig: config,
}: JsonObject): PlainPrompt['parameters']['choice'] {
  if (typeof choice === 'string') return CHOICES[choice]
  if (isJsonObject(choice)) {
    const named = isJsonObject(choice.function) ? choice.function.name : choice.name
    return typeof named === 'string' ? { name: named } : CHOICES[String(choice.type)]
  }
  const calling = isJsonObject(config) ? config.functionCallingConfig : undefined
  return isJsonObject(calling) ? CHOICES[String(calling.mode).toLowerCase()] : undefined
}
