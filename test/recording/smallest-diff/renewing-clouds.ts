import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { at, joined, TOOL_SCHEMA, type RenewingWire } from './renewing-wires.ts'

/** Gemini, whose events are whole answers with a piece of the text each. */
export const gemini: RenewingWire = {
  name: 'gemini-generate',
  path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  type: 'text/event-stream',
  history: 'contents',
  ask: (system, history) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: history,
    tools: [{ functionDeclarations: [{ name: 'look_up', parameters: TOOL_SCHEMA }] }],
  }),
  question: (text) => ({ role: 'user', parts: [{ text }] }),
  repeat: (events) => {
    const parts = events.map((event) => at(event, 'candidates', 0, 'content', 'parts', 0))
    const call = parts.find((part) => at(part, 'functionCall'))
    if (call) return [{ role: 'model', parts: [call] }]
    const text = joined(events, 'candidates', 0, 'content', 'parts', 0, 'text')
    return [{ role: 'model', parts: [{ text }] }]
  },
  result: (text, [message]) => {
    const { id, name } = at(message, 'parts', 0, 'functionCall') as JsonObject
    const functionResponse = { id: id!, name: name!, response: { result: text } }
    return { role: 'user', parts: [{ functionResponse }] }
  },
  answer({ text, call }, _, tokens, dice) {
    const cachedContentTokenCount = dice.number() % tokens
    const responseId = dice.id('')
    let candidatesTokenCount = 0
    const chunk = (parts: JsonValue[], last: boolean) => {
      candidatesTokenCount = last ? 20 : candidatesTokenCount + 1
      const reason: JsonObject = last ? { finishReason: 'STOP' } : {}
      return {
        data: {
          candidates: [{ content: { parts, role: 'model' }, ...reason, index: 0 }],
          usageMetadata: {
            promptTokenCount: tokens,
            candidatesTokenCount,
            totalTokenCount: tokens + candidatesTokenCount,
            cachedContentTokenCount,
            promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }],
            cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cachedContentTokenCount }],
          },
          modelVersion: 'gemini-2.5-flash',
          responseId,
        },
      }
    }
    if (call) {
      const functionCall = { id: dice.id(''), name: call.name, args: call.arguments }
      return [chunk([{ functionCall, thoughtSignature: dice.id('Cq') + dice.id('') }], true)]
    }
    const pieces = dice.split(text!)
    return pieces.map((piece, index) => chunk([{ text: piece }], index === pieces.length - 1))
  },
}

/** Amazon Bedrock's Converse, in binary frames. */
export const bedrock: RenewingWire = {
  name: 'bedrock-converse',
  path: '/model/us.amazon.nova-lite-v1%3A0/converse-stream',
  type: 'application/vnd.amazon.eventstream',
  history: 'messages',
  ask: (system, history) => ({
    system: [{ text: system }],
    messages: history,
    toolConfig: { tools: [{ toolSpec: { name: 'look_up', inputSchema: { json: TOOL_SCHEMA } } }] },
  }),
  question: (text) => ({ role: 'user', content: [{ text }] }),
  repeat: (events) => {
    const call = events.map((event) => at(event, 'start', 'toolUse')).find(Boolean)
    if (!call) return [{ role: 'assistant', content: [{ text: joined(events, 'delta', 'text') }] }]
    const input = JSON.parse(joined(events, 'delta', 'toolUse', 'input')) as JsonValue
    return [{ role: 'assistant', content: [{ toolUse: { ...(call as JsonObject), input } }] }]
  },
  result: (text, [message]) => {
    const toolUseId = at(message, 'content', 0, 'toolUse', 'toolUseId')!
    return { role: 'user', content: [{ toolResult: { toolUseId, content: [{ text }] } }] }
  },
  answer({ text, call }, _, tokens, dice) {
    const send = (event: string, fields: JsonObject) => ({
      event,
      data: { ...fields, p: 'abcdefghijklmnopqrstuvwxyz'.slice(0, 1 + (dice.number() % 25)) },
    })
    const delta = (piece: string): JsonObject =>
      call ? { toolUse: { input: piece } } : { text: piece }
    const start = call && { toolUse: { toolUseId: dice.id('tooluse_'), name: call.name } }
    const cacheReadInputTokens = dice.number() % tokens
    return [
      send('messageStart', { role: 'assistant' }),
      ...(start ? [send('contentBlockStart', { contentBlockIndex: 0, start })] : []),
      ...dice
        .split(text ?? JSON.stringify(call!.arguments))
        .map((piece) => send('contentBlockDelta', { contentBlockIndex: 0, delta: delta(piece) })),
      send('contentBlockStop', { contentBlockIndex: 0 }),
      send('messageStop', { stopReason: call ? 'tool_use' : 'end_turn' }),
      send('metadata', {
        metrics: { latencyMs: dice.number() % 9_999 },
        usage: {
          inputTokens: tokens - cacheReadInputTokens,
          outputTokens: 20,
          totalTokens: tokens + 20,
          cacheReadInputTokens,
          cacheWriteInputTokens: 0,
        },
      }),
    ]
  },
}
