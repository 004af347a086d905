import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts'
import { defined, stringOf } from '../../../providers/fields.ts'
import type { Message } from '../../../prompt/prompt.ts'
import { parsed, heldMessages, heldTools, textOfMessage, textMessage } from './messages.ts'
import type { HeldPrompt } from './model-call.ts'

/** The fields of a request that are no parameters. */
const READ =
  /^(?:model|messages|input|contents|system|instructions|systemInstruction|system_instruction|tools|functions|stream|stream_options)$/

/** What an SDK is told and its provider never is. */
const OF_THE_SDK = /^(?:extra_headers|extra_query|extra_body|timeout)$/

/** Whether a value is the whole request, as the SDK was given it. */
export function isRequest(value: JsonValue | undefined): value is JsonObject {
  return (
    isJsonObject(value) &&
    ['messages', 'input', 'contents'].some((name) => (value[name] ?? null) !== null) &&
    value.role === undefined
  )
}

/** Whether a request is all that the SDK was given: LangChain keeps the messages alone. */
export function isWholeRequest(value: JsonValue | undefined): value is JsonObject {
  return isRequest(value) && typeof value.model === 'string'
}

/** Reads a request that a tracer kept as the SDK was given it. */
export function heldRequest(body: JsonObject): HeldPrompt {
  const system =
    body.system ?? body.instructions ?? body.systemInstruction ?? body.system_instruction
  const messages = heldMessages(body.messages ?? body.input ?? body.contents)
  const tools = heldTools(body.tools ?? body.functions)
  return defined({
    model: stringOf(body.model),
    messages: messages && withInstructions(system, messages),
    tools,
    parameters: parametersIn(body),
  })
}

/** The parameters of a request: what has a value and is nothing else. */
export function parametersIn(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      READ.test(name) || OF_THE_SDK.test(name) || isUnset(value) ? [] : [[name, value]],
    ),
  )
}

/** What tracers write for a parameter that was not given. */
export function isUnset(value: JsonValue): boolean {
  return value === null || value === '' || value === 'null' || value === 'undefined'
}

/** The messages behind the instructions, unless these are their first message already. */
export function withInstructions(
  system: JsonValue | undefined,
  messages: readonly Message[],
): Message[] {
  const said = instructionsIn(system)
  if (!said) return [...messages]
  const text = textOfMessage(said)
  const isThere = messages.some(
    (one) => /^(?:system|developer)$/.test(one.role) && textOfMessage(one) === text,
  )
  return isThere ? [...messages] : [said, ...messages]
}

/** Instructions: a text, parts, or the text of the JSON of parts. */
function instructionsIn(system: JsonValue | undefined): Message | undefined {
  if (system === undefined || system === null || system === '') return undefined
  const value = typeof system === 'string' && /^\s*\[/.test(system) ? parsed(system) : system
  if (typeof value === 'string') return textMessage('system', value)
  const list = Array.isArray(value) ? value : [value]
  const parts = list.flatMap((one) => {
    const [message] = heldMessages([
      isJsonObject(one) && one.parts ? one : { role: 'system', content: [one] },
    ])!
    return message!.parts
  })
  return parts.length > 0 ? { role: 'system', parts } : undefined
}
