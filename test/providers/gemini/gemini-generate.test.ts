import { expect, test } from 'vitest'
import { geminiGenerate } from '../../../src/providers/gemini/gemini-generate.ts'
import { sha256 } from '../../../src/prompt/sha256.ts'
import type { WireResponse } from '../../../src/wire/message.ts'
import { generateSample } from '../samples/gemini-generate.ts'
import { PIXEL } from '../samples/sample.ts'
import { answer, requestTo } from '../wire.ts'

const HOST = 'https://generativelanguage.googleapis.com'

const ask = (body: object, path = '/v1beta/models/gemini-2.5-flash:generateContent') =>
  geminiGenerate.readPrompt(requestTo(HOST + path, body))

const say = (...parts: object[]) =>
  geminiGenerate.readCompletion(
    answer({ candidates: [{ content: { parts }, finishReason: 'STOP' }] }),
  )

/** The stream as it comes without `alt=sse`: one array, its values one by one. */
const chunks = generateSample.events!.map((event) => event.replace(/^data: /, '').trim())
const array = (text: string): WireResponse => ({
  ...answer(''),
  body: { kind: 'text', text },
})

test('reads a stream that comes as an array', () => {
  const values = chunks.map((chunk) => JSON.parse(chunk) as unknown)
  expect(geminiGenerate.readCompletion(answer(values))).toEqual(generateSample.completion)
  expect(geminiGenerate.readCompletion(array(`[${chunks.join('\n,\r\n')}\n]`))).toEqual(
    generateSample.completion,
  )
  for (let length = 1; length < values.length; length++) {
    const cut = geminiGenerate.readCompletion(answer(values.slice(0, length)))
    expect(cut).toMatchObject({ incomplete: true })
  }
  const unclosed = geminiGenerate.readCompletion(array(`[${chunks.slice(0, 2).join('\n,\r\n')}`))
  expect(unclosed).toMatchObject({ incomplete: true })
})

test('reads an error at the end of an array', () => {
  const values = [JSON.parse(chunks[0]!) as unknown, { error: { code: 503, message: 'Down.' } }]
  expect(geminiGenerate.readCompletion(answer(values))).toMatchObject({
    reasoning: 'Sunny ',
    error: 'Down.',
    incomplete: true,
  })
})

test('writes an array where no events are asked for', () => {
  const request = requestTo(generateSample.url.replace('?alt=sse', ''), generateSample.body)
  const { body, headers } = geminiGenerate.writeCompletion!(generateSample.completion, request)
  expect(headers['content-type']).toBe('application/json')
  expect(body.kind === 'json' && Array.isArray(body.value)).toBe(true)
  const again = { status: 200, headers, body }
  expect(geminiGenerate.readCompletion(again)).toEqual(generateSample.completion)
})

test.each([
  '/v1/models/gemini-2.5-pro:generateContent',
  '/v1beta1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:generateContent',
  '/v1beta/models/gemini-2.5-pro%3AgenerateContent',
  '/v1beta/tunedModels/gemini-2.5-pro:generateContent',
])('reads the model from %s', (path) => {
  const prompt = ask({ contents: ['Hi.'] }, path)
  expect(prompt).toMatchObject({ model: 'gemini-2.5-pro', operation: 'generate_content' })
  expect(prompt.parameters).toEqual({})
})

test('says that it streams, because nothing in the body does', () => {
  const { parameters } = ask(
    { contents: ['Hi.'] },
    '/v1/models/gemini:streamGenerateContent?alt=sse',
  )
  expect(parameters).toEqual({ stream: true })
})

test('keeps the model of the body beside that of the path', () => {
  expect(ask({ model: 'models/other', contents: ['Hi.'] })).toMatchObject({
    model: 'gemini-2.5-flash',
    parameters: { model: 'models/other' },
  })
})

test('reads the spelling of Python as that of JavaScript', () => {
  const python = ask({
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { inline_data: { mime_type: 'image/png', data: PIXEL } },
          { function_call: { name: 'now', args: {} } },
        ],
      },
    ],
    tools: { function_declarations: [{ name: 'now', parameters_json_schema: { type: 'object' } }] },
    generation_config: { top_p: 1 },
  })
  const script = ask({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: PIXEL } },
          { functionCall: { name: 'now', args: {} } },
        ],
      },
    ],
    tools: [{ functionDeclarations: [{ name: 'now', parametersJsonSchema: { type: 'object' } }] }],
    generationConfig: { top_p: 1 },
  })
  expect(python).toEqual(script)
  expect(script.messages[0]).toEqual({
    role: 'system',
    parts: [{ type: 'text', text: 'Be brief.' }],
  })
  expect(script.messages[1]!.parts[0]).toEqual({
    type: 'blob',
    mimeType: 'image/png',
    hash: sha256(PIXEL),
    size: 70,
  })
})

test('keeps a configuration whole whose names are taken', () => {
  const config = { temperature: 0 }
  expect(ask({ contents: ['Hi.'], temperature: 1, generationConfig: config }).parameters).toEqual({
    temperature: 1,
    generationConfig: config,
  })
})

test('reads what is asked without a role as said by the user', () => {
  const { messages } = ask({ contents: { parts: [{ text: 'Hi.' }] } })
  expect(messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }])
})

test('sets a text apart from the one before the code that ran between them', () => {
  const run = { executableCode: { id: 'e1', language: 'PYTHON', code: 'print(7)' } }
  const output = { codeExecutionResult: { id: 'e1', outcome: 'OUTCOME_OK', output: '7' } }
  expect(say({ text: 'One.' }, run, output, { text: 'Two.' })).toMatchObject({
    text: 'One.\n\nTwo.',
    toolCalls: [
      { id: 'e1', name: 'code_execution', arguments: { language: 'PYTHON', code: 'print(7)' } },
    ],
  })
})

test('reads a prompt that was refused, and a reason that is a number', () => {
  const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: {} }
  expect(geminiGenerate.readCompletion(answer(blocked))).toEqual({
    text: '',
    toolCalls: [],
    finishReasons: ['SAFETY'],
  })
  const numbered = { candidates: [{ content: { parts: [{ text: 'Hi.' }] }, finishReason: 1 }] }
  expect(geminiGenerate.readCompletion(answer(numbered)).finishReasons).toEqual(['1'])
})

test('counts what tools read as input and thoughts as output', () => {
  const usageMetadata = {
    promptTokenCount: 10,
    toolUsePromptTokenCount: 5,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 4,
  }
  expect(geminiGenerate.readCompletion(answer({ candidates: [], usageMetadata })).usage).toEqual({
    inputTokens: 15,
    outputTokens: 7,
    reasoningOutputTokens: 4,
  })
})
