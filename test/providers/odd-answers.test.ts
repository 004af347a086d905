import { expect, test } from 'vitest'
import { dialectOf } from '../../src/providers/dialects.ts'
import type { Completion } from '../../src/prompt/completion.ts'
import type { WireResponse } from '../../src/wire/message.ts'
import { answer, chunks, data, DONE, requestTo, stream, streamOfFrames } from './wire.ts'

const MODELS = 'https://bedrock-runtime.us-east-1.amazonaws.com/model'
const IMPORTED = `${MODELS}/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aimported-model%2Fx1`
const GEMINI = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash-image'
const CHAT = 'https://api.openai.com/v1/chat/completions'
const asked = { model: 'm', messages: [{ role: 'user', content: 'Say it.' }] }
const contents = [{ role: 'user', parts: [{ text: 'Draw it.' }] }]
const PICTURE = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
const counted = { prompt_tokens: 3, completion_tokens: 2 }
const usage = { inputTokens: 3, outputTokens: 2 }
const plain = (finishReasons: string[]): Completion => ({
  text: 'It is dry.',
  toolCalls: [],
  finishReasons,
  usage,
})

/** Answers that are spelled otherwise than most in their format. */
const ODD: [name: string, url: string, body: object, response: WireResponse, Completion][] = [
  [
    'an imported model on Bedrock',
    `${IMPORTED}/invoke`,
    { prompt: 'The lawn?' },
    answer({ choices: [{ index: 0, text: 'It is dry.', stop_reason: 'stop' }], usage: counted }),
    plain(['stop']),
  ],
  [
    'a stream of an imported model on Bedrock',
    `${IMPORTED}/invoke-with-response-stream`,
    { prompt: 'The lawn?' },
    streamOfFrames(
      ...chunks(
        { choices: [{ index: 0, text: 'It is ' }] },
        { choices: [{ index: 0, text: 'dry.', finish_reason: 'stop' }], usage: counted },
      ),
    ),
    plain(['stop']),
  ],
  [
    'speech of a chat without a reason to end',
    CHAT,
    asked,
    answer({
      choices: [{ message: { content: null, audio: { transcript: 'It is dry.' } } }],
      usage: counted,
    }),
    plain([]),
  ],
  [
    'a stream of speech without a reason to end, and without its mark',
    CHAT,
    { ...asked, stream: true },
    stream(
      ...data(
        { choices: [{ index: 0, delta: { audio: { id: 'a', transcript: 'It is ' } } }] },
        { choices: [{ index: 0, delta: { audio: { transcript: 'dry.' } } }] },
        { choices: [], usage: counted },
      ),
    ),
    plain([]),
  ],
  [
    'speech of a chat without its words',
    CHAT,
    asked,
    answer({
      choices: [{ message: { content: null, audio: { data: 'UklGRg==' } }, finish_reason: 'stop' }],
      usage: counted,
    }),
    { ...plain(['stop']), text: '[audio, 4 bytes]' },
  ],
  [
    'a completion of Writer without a reason to end',
    'https://api.writer.com/v1/completions',
    { model: 'palmyra-x4', prompt: 'The lawn?' },
    answer({ choices: [{ text: 'It is dry.', log_probs: null }], usage: counted }),
    plain([]),
  ],
  [
    'a stream of Writer, whose end nothing marks',
    'https://api.writer.com/v1/completions',
    { model: 'palmyra-x4', prompt: 'The lawn?', stream: true },
    stream(...data({ value: 'It is ' }, { value: 'dry.' })),
    { text: 'It is dry.', toolCalls: [], finishReasons: [] },
  ],
  [
    'a picture and nothing else from Gemini',
    `${GEMINI}:generateContent`,
    { contents },
    answer({ candidates: [{ content: { parts: [PICTURE] }, finishReason: 'STOP' }] }),
    { text: '[image/png, 8 bytes]', toolCalls: [], finishReasons: ['STOP'] },
  ],
  [
    'a stream of sound and nothing else from Gemini',
    `${GEMINI}:streamGenerateContent?alt=sse`,
    { contents },
    stream(
      ...data(
        {
          candidates: [
            { content: { parts: [{ inlineData: { mimeType: 'audio/L16', data: 'AAAA' } }] } },
          ],
        },
        {
          candidates: [
            { content: { parts: [{ inlineData: { mimeType: 'audio/L16', data: 'AAAA' } }] } },
          ],
        },
        { candidates: [{ finishReason: 'STOP' }] },
      ),
    ),
    { text: '[audio/L16, 6 bytes]', toolCalls: [], finishReasons: ['STOP'] },
  ],
  [
    'embeddings of Nova',
    `${MODELS}/amazon.nova-2-multimodal-embeddings-v1%3A0/invoke`,
    {
      taskType: 'SINGLE_EMBEDDING',
      singleEmbeddingParams: { embeddingPurpose: 'GENERIC_INDEX', text: { value: 'lawn' } },
    },
    answer({ embeddings: [{ embeddingType: 'TEXT', embedding: [0.5, 1, 0] }] }),
    { text: '1 embedding of 3 dimensions', toolCalls: [], finishReasons: [] },
  ],
]

test.each(ODD)('%s is read whole', (_, url, body, response, completion) => {
  const dialect = dialectOf(requestTo(url, body))
  expect(dialect.name).not.toBe('generic')
  expect(dialect.readCompletion(response)).toEqual(completion)
})

test('what Nova is to embed is the prompt', () => {
  const [, url, body] = ODD.at(-1)!
  const request = requestTo(url, body)
  const prompt = dialectOf(request).readPrompt(request)
  expect(prompt.operation).toBe('embeddings')
  expect(prompt.messages).toEqual([
    { role: 'user', parts: [{ type: 'other', value: (body as any).singleEmbeddingParams }] },
  ])
})

test('a picture beside words does not stand among them', () => {
  const request = requestTo(`${GEMINI}:generateContent`, { contents })
  const parts = [{ text: 'Here it is.' }, PICTURE]
  const response = answer({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })
  expect(dialectOf(request).readCompletion(response).text).toBe('Here it is.')
})

test('a stream of speech that breaks off is incomplete', () => {
  const request = requestTo(CHAT, { ...asked, stream: true })
  const events = data({ choices: [{ index: 0, delta: { audio: { transcript: 'It' } } }] })
  const { readCompletion } = dialectOf(request)
  expect(readCompletion(stream(...events)).incomplete).toBe(true)
  expect(readCompletion(stream(...events, DONE)).incomplete).toBeUndefined()
})
