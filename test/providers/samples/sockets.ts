import type { JsonObject } from '../../../src/json/json-value.ts'
import { jsonLines } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

const DONE: JsonObject = {
  type: 'response.done',
  event_id: 'event_9',
  response: {
    id: 'resp_1',
    object: 'realtime.response',
    status: 'completed',
    status_details: null,
    output: [
      {
        id: 'item_1',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_audio', transcript: 'It is dry. Bring a hat.' }],
      },
      {
        id: 'item_2',
        type: 'function_call',
        call_id: 'call_2',
        name: 'weather',
        arguments: '{"city":"Ulm"}',
      },
    ],
    usage: {
      total_tokens: 160,
      input_tokens: 120,
      output_tokens: 40,
      input_token_details: { cached_tokens: 100, text_tokens: 20 },
      output_token_details: { text_tokens: 40 },
    },
  },
}

const AT = { response_id: 'resp_1', item_id: 'item_1', output_index: 0, content_index: 0 }
const TRANSCRIPT = { type: 'response.output_audio_transcript.delta', ...AT }

/** A picnic, planned aloud over OpenAI's Realtime. */
export const realtimeSample: Sample = {
  dialect: 'openai-realtime',
  method: 'SEND',
  url: 'https://api.openai.com/v1/realtime?model=gpt-realtime',
  body: {
    type: 'response.create',
    event_id: 'event_1',
    response: {
      instructions: 'You plan picnics.',
      output_modalities: ['audio'],
      max_output_tokens: 64,
      conversation: 'none',
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Is this lawn dry?' },
            { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
            { type: 'input_audio', audio: PIXEL, transcript: 'Is it?' },
          ],
        },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_audio', transcript: 'Let me look.' }],
        },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Ulm"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
        { type: 'item_reference', id: 'item_0' },
      ],
      tools: [
        { type: 'function', name: 'weather', description: 'The weather.', parameters: WEATHER },
      ],
    },
  },
  plain: DONE,
  events: jsonLines(
    { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      response_id: 'resp_1',
      output_index: 0,
      item: { id: 'item_1', type: 'message', role: 'assistant', content: [] },
    },
    { ...TRANSCRIPT, delta: 'It is dry. ' },
    { type: 'response.output_audio.delta', ...AT, delta: PIXEL },
    { ...TRANSCRIPT, delta: 'Bring a hat.' },
    { type: 'rate_limits.updated', rate_limits: [] },
    DONE,
  ),
  lines: true,
  silent: true,
  completion: {
    text: 'It is dry. Bring a hat.',
    toolCalls: [{ id: 'call_2', name: 'weather', arguments: { city: 'Ulm' } }],
    finishReasons: ['completed'],
    usage: { inputTokens: 120, outputTokens: 40, cacheReadInputTokens: 100 },
  },
}

const CALL = { id: 'call_2', name: 'weather', args: { city: 'Ulm' } }
const USAGE = { promptTokenCount: 120, responseTokenCount: 32, thoughtsTokenCount: 8 }

/** A picnic, planned over Gemini Live. */
export const liveSample: Sample = {
  dialect: 'gemini-live',
  method: 'SEND',
  url: 'https://generativelanguage.googleapis.com//ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
  body: {
    setup: {
      model: 'models/gemini-live-2.5',
      systemInstruction: { parts: [{ text: 'You plan picnics.' }] },
      generationConfig: { responseModalities: ['AUDIO'], temperature: 0 },
      tools: [{ functionDeclarations: [{ name: 'weather', parameters: WEATHER }] }],
      outputAudioTranscription: {},
    },
    clientContent: {
      turns: [
        { role: 'user', parts: [{ text: 'Is this lawn dry?' }] },
        { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'weather', args: {} } }] },
      ],
      turnComplete: true,
    },
    realtimeInput: {
      text: 'Well?',
      audio: { data: PIXEL, mimeType: 'audio/pcm' },
      mediaChunks: [{ data: PIXEL, mimeType: 'image/png' }],
      activityStart: {},
    },
    toolResponse: {
      functionResponses: [{ id: 'call_1', name: 'weather', response: { output: 'sunny' } }],
    },
  },
  plain: {
    serverContent: {
      modelTurn: {
        role: 'model',
        parts: [{ text: 'Sunny means dry.', thought: true }, { text: 'It is dry. Bring a hat.' }],
      },
      turnComplete: true,
    },
    toolCall: { functionCalls: [CALL] },
    usageMetadata: USAGE,
  },
  events: jsonLines(
    {
      '@json': {
        serverContent: { modelTurn: { parts: [{ text: 'Sunny means dry.', thought: true }] } },
      },
    },
    { '@json': { serverContent: { modelTurn: { parts: [{ inlineData: { data: PIXEL } }] } } } },
    { '@json': { serverContent: { outputTranscription: { text: 'It is dry. ' } } } },
    { '@json': { serverContent: { outputTranscription: { text: 'Bring a hat.' } } } },
    { '@json': { toolCall: { functionCalls: [CALL] } } },
    { '@json': { serverContent: { turnComplete: true }, usageMetadata: USAGE } },
  ),
  lines: true,
  silent: true,
  optional: ['role', 'args'],
  afterEnd: 2,
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.',
    toolCalls: [{ id: 'call_2', name: 'weather', arguments: { city: 'Ulm' } }],
    finishReasons: ['turnComplete'],
    usage: { inputTokens: 120, outputTokens: 40, reasoningOutputTokens: 8 },
  },
}
