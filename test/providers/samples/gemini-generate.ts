import type { JsonObject } from '../../../src/json/json-value.ts'
import { data } from '../wire.ts'
import { PIXEL, WEATHER, type Sample } from './sample.ts'

/** A picnic, planned over Gemini's generateContent. */
export const generateSample: Sample = {
  dialect: 'gemini-generate',
  url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  body: {
    systemInstruction: { parts: [{ text: 'You plan picnics.' }], role: 'user' },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'Is this lawn dry?' },
          { inlineData: { mimeType: 'image/png', data: PIXEL, displayName: 'lawn' } },
          { fileData: { fileUri: 'gs://lawns/1.mp4', mimeType: 'video/mp4' } },
          { videoMetadata: { fps: 1 } },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'A forecast would help.', thought: true },
          { text: 'Let me look.', thoughtSignature: 'c2ln' },
          {
            functionCall: { id: 'call_1', name: 'weather', args: { city: 'Ulm' } },
            thoughtSignature: 'c2lnMg==',
          },
          { executableCode: { language: 'PYTHON', code: 'print(7)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '7' } },
          { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', id: 't1', args: { queries: ['lawn'] } } },
          { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', id: 't1', response: { hits: 1 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'weather', response: { sky: 'sunny' } } },
        ],
      },
    ],
    tools: [
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: 'The weather.',
            parametersJsonSchema: WEATHER,
            behavior: 'BLOCKING',
          },
          { name: 'now', description: 'The time.' },
        ],
      },
      { googleSearch: { excludeDomains: ['example.com'] } },
      { codeExecution: {} },
    ],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    generationConfig: {
      temperature: 0,
      maxOutputTokens: 64,
      responseMimeType: 'application/json',
      responseJsonSchema: WEATHER,
      thinkingConfig: { includeThoughts: true },
    },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    cachedContent: 'cachedContents/1',
  },
  plain: {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'Sunny means dry.', thought: true },
            { text: 'It is dry. Bring a hat.', thoughtSignature: 'c2ln' },
            { functionCall: { name: 'weather', args: { city: 'Ulm' } } },
            { functionCall: { id: 'call_3', name: 'now', args: {} } },
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 120,
      candidatesTokenCount: 32,
      cachedContentTokenCount: 100,
      thoughtsTokenCount: 8,
      totalTokenCount: 160,
    },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'r1',
  },
  events: data(
    chunk([{ text: 'Sunny ', thought: true }], { thoughtsTokenCount: 4 }),
    chunk([{ text: 'means dry.', thought: true }], { thoughtsTokenCount: 8 }),
    chunk([{ text: 'It is dry. ' }], { candidatesTokenCount: 6 }),
    chunk([{ text: 'Bring a hat.', thoughtSignature: 'c2ln' }]),
    chunk([
      { functionCall: { name: 'weather', args: { city: 'Ulm' } } },
      { functionCall: { id: 'call_3', name: 'now', args: {} } },
    ]),
    chunk(
      [{ text: '' }],
      { candidatesTokenCount: 32, thoughtsTokenCount: 8, totalTokenCount: 160 },
      'STOP',
    ),
  ),
  unstreamed: {
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
  },
  optional: ['role', 'args'],
  completion: {
    text: 'It is dry. Bring a hat.',
    reasoning: 'Sunny means dry.',
    toolCalls: [
      { name: 'weather', arguments: { city: 'Ulm' } },
      { id: 'call_3', name: 'now', arguments: {} },
    ],
    finishReasons: ['STOP'],
    usage: {
      inputTokens: 120,
      outputTokens: 40,
      cacheReadInputTokens: 100,
      reasoningOutputTokens: 8,
    },
  },
}

function chunk(parts: JsonObject[], usage: JsonObject = {}, finishReason?: string): JsonObject {
  const ending = finishReason === undefined ? {} : { finishReason }
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...ending } as JsonObject],
    usageMetadata: { promptTokenCount: 120, cachedContentTokenCount: 100, ...usage },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'r1',
  }
}
