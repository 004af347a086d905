import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/json/json-value.ts'
import { anthropic } from './renewing-anthropic.ts'
import { bedrock, gemini } from './renewing-clouds.ts'

/** What a provider invents anew for every answer. */
export interface Dice {
  id(prefix: string): string
  number(): number
  /** A text in pieces, cut where chance has it. */
  split(text: string): string[]
}

/** What a model says in one turn. */
export interface Said {
  text?: string
  call?: { name: string; arguments: JsonObject }
}

/** An event of a stream, by its name where it has one. */
export interface SentEvent {
  event?: string
  data: JsonValue
}

/** A wire format as an application and a provider speak it that renews all that providers renew. */
export interface RenewingWire {
  name: string
  path: string
  type: 'text/event-stream' | 'application/vnd.amazon.eventstream'
  /** The field of a request that holds the conversation. */
  history: string
  ask(system: string, history: JsonValue[]): JsonObject
  question(text: string): JsonValue
  /** What the application puts into the next request of an answer. */
  repeat(events: JsonObject[]): JsonValue[]
  /** What a tool gave back, for the call in the items that were repeated. */
  result(text: string, repeated: JsonValue[]): JsonValue
  /** @param tokens what the prompt takes */
  answer(said: Said, request: JsonObject, tokens: number, dice: Dice): SentEvent[]
}

export const TOOL_SCHEMA: JsonObject = {
  type: 'object',
  properties: { order: { type: 'integer' }, note: { type: 'string' } },
}

/** The whole text of what arrived in pieces at a place of events. */
export function joined(events: JsonObject[], ...keys: Array<string | number>): string {
  return events.map((event) => at(event, ...keys) ?? '').join('')
}

export function at(
  value: JsonValue | undefined,
  ...keys: Array<string | number>
): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>(
    (inner, key) =>
      Array.isArray(inner) || isJsonObject(inner ?? null)
        ? (inner as JsonObject)[key as string]
        : undefined,
    value,
  )
}

const chat: RenewingWire = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  type: 'text/event-stream',
  history: 'messages',
  ask: (system, history) => ({
    model: 'gpt-5-mini',
    stream: true,
    messages: [{ role: 'system', content: system }, ...history],
    tools: [{ type: 'function', function: { name: 'look_up', parameters: TOOL_SCHEMA } }],
  }),
  question: (text) => ({ role: 'user', content: text }),
  repeat: (events) => {
    const delta = ['choices', 0, 'delta'] as const
    const call = [...delta, 'tool_calls', 0] as const
    const content = joined(events, ...delta, 'content')
    if (content) return [{ role: 'assistant', content }]
    const id = joined(events, ...call, 'id')
    const called = {
      name: joined(events, ...call, 'function', 'name'),
      arguments: joined(events, ...call, 'function', 'arguments'),
    }
    const calls = [{ id, type: 'function', function: called }]
    return [{ role: 'assistant', content: null, tool_calls: calls }]
  },
  result: (text, [message]) => ({
    role: 'tool',
    tool_call_id: at(message, 'tool_calls', 0, 'id')!,
    content: text,
  }),
  answer({ text, call }, _, tokens, dice) {
    const head = {
      id: dice.id('chatcmpl-'),
      object: 'chat.completion.chunk',
      created: dice.number(),
      model: 'gpt-5-mini-2026-01-01',
      service_tier: 'default',
      system_fingerprint: dice.id('fp_'),
    }
    const chunk = (delta: JsonObject, reason: string | null = null): SentEvent => ({
      data: {
        ...head,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
        usage: null,
        obfuscation: dice.id(''),
      },
    })
    const piece = (call: JsonObject): SentEvent => chunk({ tool_calls: [{ index: 0, ...call }] })
    const usage = {
      prompt_tokens: tokens,
      completion_tokens: 20,
      total_tokens: tokens + 20,
      prompt_tokens_details: { cached_tokens: dice.number() % tokens, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, accepted_prediction_tokens: 0 },
    }
    const name = { name: call?.name ?? '', arguments: '' }
    const id = dice.id('call_')
    return [
      chunk({ role: 'assistant', content: call ? null : '', refusal: null }),
      ...(call
        ? [
            piece({ id, type: 'function', function: name }),
            ...dice
              .split(JSON.stringify(call.arguments))
              .map((text) => piece({ function: { arguments: text } })),
          ]
        : dice.split(text!).map((content) => chunk({ content }))),
      chunk({}, call ? 'tool_calls' : 'stop'),
      { data: { ...head, choices: [], usage, obfuscation: '' } },
      { data: '[DONE]' },
    ]
  },
}

const responses: RenewingWire = {
  name: 'openai-responses',
  path: '/v1/responses',
  type: 'text/event-stream',
  history: 'input',
  ask: (system, history) => ({
    model: 'gpt-5-mini',
    stream: true,
    store: false,
    instructions: system,
    input: history,
    tools: [{ type: 'function', name: 'look_up', parameters: TOOL_SCHEMA, strict: false }],
  }),
  question: (text) => ({ role: 'user', content: text }),
  repeat: (events) => at(events.at(-1), 'response', 'output') as JsonValue[],
  result: (text, items) => ({
    type: 'function_call_output',
    call_id: at(items.at(-1), 'call_id')!,
    output: text,
  }),
  answer({ text, call }, request, tokens, dice) {
    let sequence_number = 0
    const send = (type: string, fields: JsonObject): SentEvent => ({
      event: type,
      data: { type, sequence_number: sequence_number++, ...fields },
    })
    const response = {
      id: dice.id('resp_'),
      object: 'response',
      created_at: dice.number(),
      status: 'in_progress',
      error: null,
      instructions: request.instructions!,
      model: 'gpt-5-mini-2026-01-01',
      output: [] as JsonValue[],
      tools: request.tools!,
      usage: null as JsonValue,
    }
    const thought = { id: dice.id('rs_'), type: 'reasoning', summary: [] as JsonValue[] }
    const sealed = { ...thought, encrypted_content: dice.id('gAAAAAB') + dice.id('') }
    const item_id = dice.id(call ? 'fc_' : 'msg_')
    const given = JSON.stringify(call?.arguments)
    const part = { type: 'output_text', annotations: [], logprobs: [], text: text ?? '' }
    const whole: JsonObject = call
      ? {
          id: item_id,
          type: 'function_call',
          status: 'completed',
          arguments: given,
          call_id: dice.id('call_'),
          name: call.name,
        }
      : { id: item_id, type: 'message', status: 'completed', content: [part], role: 'assistant' }
    const begun = {
      ...whole,
      status: 'in_progress',
      ...(call ? { arguments: '' } : { content: [] }),
    }
    const place = { item_id, output_index: 1 }
    const kind = call ? 'response.function_call_arguments' : 'response.output_text'
    const inside = call ? place : { ...place, content_index: 0 }
    const usage = {
      input_tokens: tokens,
      input_tokens_details: { cached_tokens: dice.number() % tokens },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: tokens + 20,
    }
    const completed = {
      ...response,
      status: 'completed',
      completed_at: dice.number(),
      output: [sealed, whole],
      usage,
    }
    const added = (type: string, item: JsonObject, output_index: number): SentEvent =>
      send(`response.output_item.${type}`, { output_index, item })
    const pad = (): JsonObject => ({ obfuscation: dice.id('') })
    return [
      send('response.created', { response }),
      send('response.in_progress', { response }),
      added('added', thought, 0),
      added('done', sealed, 0),
      added('added', begun, 1),
      ...(call
        ? []
        : [send('response.content_part.added', { ...inside, part: { ...part, text: '' } })]),
      ...dice
        .split(text ?? given)
        .map((delta) => send(`${kind}.delta`, { ...inside, delta, ...pad() })),
      send(`${kind}.done`, call ? { ...inside, arguments: given } : { ...inside, text: text! }),
      ...(call ? [] : [send('response.content_part.done', { ...inside, part })]),
      added('done', whole, 1),
      send('response.completed', { response: completed }),
    ]
  },
}

export const renewingWires: RenewingWire[] = [chat, responses, anthropic, gemini, bedrock]
