import { data } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

const MODEL = { 'ai-language-model-id': 'anthropic/claude-sonnet-4.5' }

const ENDING = {
  finishReason: { unified: 'tool-calls', raw: 'tool_use' },
  usage: {
    inputTokens: { total: 120, noCache: 12, cacheRead: 100, cacheWrite: 8 },
    outputTokens: { total: 40, text: 32, reasoning: 8 },
  },
}

/** A picnic, planned over the gateway of the AI SDK. */
export const gatewaySample: Sample = {
  dialect: 'vercel-gateway',
  url: 'https://ai-gateway.vercel.sh/v4/ai/language-model',
  headers: { ...MODEL, 'ai-language-model-streaming': 'true' },
  body: {
    maxOutputTokens: 64,
    temperature: 0,
    responseFormat: { type: 'json', schema: WEATHER },
    prompt: [
      { role: 'system', content: 'You plan picnics.', providerOptions: { anthropic: { a: 1 } } },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Is this lawn dry?' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PIXEL } },
          { type: 'file', mediaType: 'image/*', data: { type: 'url', url: 'https://a.example/b' } },
          { type: 'file', mediaType: 'image/png', data: `data:image/png;base64,${PIXEL}` },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'A forecast would help.' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Ulm' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'weather',
            output: { type: 'text', value: 'sunny' },
          },
        ],
      },
    ],
    tools: [
      { type: 'function', name: 'weather', description: 'The weather.', inputSchema: WEATHER },
      { type: 'provider', id: 'anthropic.web_search', name: 'web_search', args: { maxUses: 2 } },
    ],
    toolChoice: { type: 'auto' },
    providerOptions: { gateway: { order: ['anthropic'] } },
    headers: { 'user-agent': 'ai/7.0.0' },
  },
  plain: {
    content: [
      { type: 'reasoning', text: 'Sunny means dry.' },
      { type: 'text', text: 'It is dry. Bring a hat.' },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'weather', input: '{"city":"Ulm"}' },
      { type: 'tool-call', toolCallId: 'c3', toolName: 'now', input: '{}' },
    ],
    ...ENDING,
    warnings: [],
  },
  events: data(
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'm1', modelId: 'claude-sonnet-4-5' },
    { type: 'reasoning-start', id: '0' },
    { type: 'reasoning-delta', id: '0', delta: 'Sunny ' },
    { type: 'reasoning-delta', id: '0', delta: 'means dry.' },
    { type: 'reasoning-end', id: '0' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'It is dry. ' },
    { type: 'text-delta', id: '1', delta: 'Bring a hat.' },
    { type: 'text-end', id: '1' },
    { type: 'tool-input-start', id: 'c2', toolName: 'weather' },
    { type: 'tool-input-delta', id: 'c2', delta: '{"city":"Ulm"}' },
    { type: 'tool-input-end', id: 'c2' },
    { type: 'tool-call', toolCallId: 'c2', toolName: 'weather', input: '{"city":"Ulm"}' },
    { type: 'tool-call', toolCallId: 'c3', toolName: 'now', input: '{}' },
    { type: 'finish', ...ENDING },
  ),
  unstreamed: { headers: { ...MODEL, 'ai-language-model-streaming': 'false' } },
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.',
    toolCalls: [
      { id: 'c2', name: 'weather', arguments: { city: 'Ulm' } },
      { id: 'c3', name: 'now', arguments: {} },
    ],
    finishReasons: ['tool-calls'],
    usage: {
      inputTokens: 120,
      outputTokens: 40,
      cacheReadInputTokens: 100,
      cacheCreationInputTokens: 8,
      reasoningOutputTokens: 8,
    },
  },
}
