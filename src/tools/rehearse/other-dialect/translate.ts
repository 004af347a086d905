import { dialectOf } from '../../../providers/dialects.ts'
import { CassetteError } from '../../../errors.ts'
import type { JsonObject } from '../../../json/json-value.ts'
import type { WireRequest } from '../../../wire/message.ts'
import { whyNotCarried } from './carried.ts'
import { carriedPictures } from './carried-pictures.ts'
import { writeChat } from './write-chat.ts'
import { writeAnthropicMessages } from './write-messages.ts'

/** Families of models by name, their own wire formats, and the address to use from any other wire format. */
const FAMILIES = [
  {
    models: /^claude/,
    dialects: /^anthropic/,
    address: 'https://api.anthropic.com/v1/messages',
  },
  {
    models: /^gemini/,
    dialects: /^gemini/,
    // Google takes chat completions too.
    address: 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
  },
  {
    models: /^(?:gpt-|chatgpt|o\d)/,
    dialects: /^openai|^azure/,
    address: 'https://api.openai.com/v1/chat/completions',
  },
]

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
  const family = FAMILIES.find(({ models }) => models.test(model))
  return family && !family.dialects.test(dialectOf(request).name) ? family.address : undefined
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
  const isMessages = new URL(address).pathname.endsWith('/messages')
  const pictures = carriedPictures(prompt, request.body)
  if (!pictures) return { why: 'it has a picture in a form that cannot be handed over' }
  const value = (isMessages ? writeAnthropicMessages : writeChat)(prompt, model, schema, pictures)
  return { request: { method: 'POST', url: address, body: { kind: 'json', value, layout: {} } } }
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
  throw new CassetteError(
    'invalid-command',
    '--at takes the whole address of chat completions or of messages, such as --at https://openrouter.ai/api/v1/chat/completions.',
  )
}
