import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { at, joined, TOOL_SCHEMA, type RenewingWire, type SentEvent } from './renewing-wires.ts'

/** Anthropic, whose thoughts are signed anew. */
export const anthropic: RenewingWire = {
  name: 'anthropic-messages',
  path: '/v1/messages',
  type: 'text/event-stream',
  history: 'messages',
  ask: (system, history) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 1_000,
    stream: true,
    system,
    messages: history,
    tools: [{ name: 'look_up', input_schema: TOOL_SCHEMA }],
  }),
  question: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  repeat: (events) => {
    const thinking = joined(events, 'delta', 'thinking')
    const signature = joined(events, 'delta', 'signature')
    const block = events.find(({ index, type }) => index === 1 && type === 'content_block_start')
    const { type, id, name } = at(block, 'content_block') as JsonObject
    const input = joined(events, 'delta', 'partial_json')
    const said: JsonObject =
      type === 'tool_use'
        ? { type, id: id!, name: name!, input: JSON.parse(input) as JsonValue }
        : { type: 'text', text: joined(events, 'delta', 'text') }
    return [{ role: 'assistant', content: [{ type: 'thinking', thinking, signature }, said] }]
  },
  result: (text, [message]) => {
    const tool_use_id = at(message, 'content', 1, 'id')!
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id, content: text }] }
  },
  answer({ text, call }, _, tokens, dice) {
    const send = (type: string, fields: JsonObject): SentEvent => ({
      event: type,
      data: { type, ...fields },
    })
    const cached = dice.number() % tokens
    const usage = {
      input_tokens: tokens - cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 1,
      service_tier: 'standard',
    }
    const message = {
      model: 'claude-sonnet-4-5-20250929',
      id: dice.id('msg_'),
      type: 'message',
      role: 'assistant',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    }
    const delta = (index: number, delta: JsonObject): SentEvent =>
      send('content_block_delta', { index, delta })
    const begun: JsonObject = call
      ? { type: 'tool_use', id: dice.id('toolu_'), name: call.name, input: {} }
      : { type: 'text', text: '' }
    const thought = { type: 'thinking', thinking: '', signature: '' }
    return [
      send('message_start', { message }),
      send('content_block_start', { index: 0, content_block: thought }),
      ...(dice.number() % 2 ? [send('ping', {})] : []),
      ...dice
        .split('Let me see.')
        .map((thinking) => delta(0, { type: 'thinking_delta', thinking })),
      delta(0, { type: 'signature_delta', signature: dice.id('Eq') + dice.id('') }),
      send('content_block_stop', { index: 0 }),
      send('content_block_start', { index: 1, content_block: begun }),
      ...dice
        .split(text ?? JSON.stringify(call!.arguments))
        .map((piece) =>
          delta(
            1,
            call
              ? { type: 'input_json_delta', partial_json: piece }
              : { type: 'text_delta', text: piece },
          ),
        ),
      send('content_block_stop', { index: 1 }),
      send('message_delta', {
        delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { ...usage, output_tokens: 20 },
      }),
      send('message_stop', {}),
    ]
  },
}
