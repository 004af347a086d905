import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isJsonObject, parseJson } from '../../../../src/json/json-value.ts'
import { dialectOf } from '../../../../src/providers/dialects.ts'
import { wireRequest } from '../../../../src/secrets/wire-request.ts'
import type { ModelCall } from '../../../../src/tools/import/traces/model-call.ts'
import { parsed } from '../../../../src/tools/import/traces/messages.ts'
import { coded } from '../../../golden.ts'
import { needs, FOREIGN } from '../../../needs.ts'
import { printed, readTraces } from './spans.ts'

/** How many calls the files hold, with the first and the last words that were said in them. */
const FILES: Array<[file: string, calls: number, first: string, last: string]> = [
  [
    'traces-ai-sdk/braintrust-ai-sdk-v5-otel.span-tree.json',
    6,
    'Reply with the single token PARIS',
    'get_weather',
  ],
  [
    'traces-ai-sdk/braintrust-ai-sdk-v6-otel.span-tree.json',
    6,
    'Reply with the single token PARIS',
    'get_weather',
  ],
  [
    'traces-braintrust/anthropic-bedrock-v0-wrapped.span-tree.json',
    2,
    'Reply with exactly OK.',
    '3 - three',
  ],
  ['traces-braintrust/cohere-v7.span-tree.json', 2, 'Reply with exactly OK.', 'STREAM.'],
  // Two instrumentations, beside each other, whose ids are taken out.
  [
    'traces-braintrust/openai-agents-v0.span-tree.json',
    4,
    'Use the lookup_weather tool',
    'Sunny in Vienna.',
  ],
  [
    'traces-braintrust/openrouter-agent-v0-wrapped.span-tree.json',
    2,
    'Use the lookup_weather tool',
    'Sunny in Vienna.',
  ],
  [
    'traces-langfuse/langgraph-2025-08-22.json',
    2,
    'Be helpful!',
    'how a website might look or function',
  ],
  [
    'traces-langfuse/openai-agents-2025-09-30.json',
    2,
    'You are a helpful agent.',
    'The weather in Tokyo is currently sunny.',
  ],
  [
    'traces-langsmith/langsmith_js_wrap_openai_default.json',
    1,
    'howdy',
    'How can I assist you today?',
  ],
  [
    'traces-langsmith/langsmith_js_wrap_openai_reasoning.json',
    1,
    'Write a bash script',
    'transpose',
  ],
  [
    'traces-langsmith/langsmith_js_wrap_openai_stream.json',
    1,
    'howdy',
    'How can I assist you today?',
  ],
  [
    'traces-langsmith/langsmith_py_wrap_openai_stream.json',
    1,
    'howdy',
    'How can I assist you today?',
  ],
  ['traces-otlp-extracted/ai-sdk-v7-gen_ai.json', 1, 'Answer concisely.', 'hi'],
  [
    'traces-otlp-extracted/openlit-span-events.json',
    1,
    'What is LLM Observability?',
    'LLM Observability',
  ],
  ['traces-otlp-extracted/traceloop-mlflow-entity.json', 1, 'What is AI?', 'AI is...'],
]

test.for(FILES)('%s', needs('shared'), ([file, count, first, last]) => {
  const calls = callsIn(file)
  expect(calls).toHaveLength(count)
  expect(printed(calls[0]!)[0]).toContain(first)
  expect(JSON.stringify(calls.at(-1)!.answer)).toContain(last)
  for (const { prompt, answer, cut } of calls) {
    expect(prompt.messages!.flatMap(({ parts }) => parts).map(({ type }) => type)).not.toContain(
      'other',
    )
    expect(answer.text !== '' || answer.tool_calls!.length > 0).toBe(true)
    expect(cut).toEqual([])
  }
})

test(
  'a trace whose messages were printed by Python tells its answers alone',
  needs('shared'),
  () => {
    const calls = callsIn('traces-langfuse/agno-2025-06-11.json')
    expect(calls.map(({ notHeld }) => notHeld[0])).toEqual(['messages', 'messages'])
    expect(calls[0]!.answer.tool_calls).toMatchObject([{ tool_name: 'duckduckgo_search' }])
    expect(calls[1]!.answer.text).toContain('Explore')
  },
)

test.for([
  'traces-otlp-extracted/genkit.json',
  'traces-otlp-extracted/pydantic-ai-agent-root-all_messages.json',
  'traces-otlp-extracted/gen_ai-tool-definitions.json',
])('%s has no known call, and says so', needs('shared'), (file) => {
  expect(() => callsIn(file)).toThrow(coded('invalid-cassette'))
  expect(() => callsIn(file)).toThrow(/ 1 span .*\(/)
})

// The same runs of the AI SDK, traced by its telemetry, and recorded on the wire.
test.for(['v5', 'v6'])(
  'the requests in the trace of %s are those on the wire',
  needs('shared'),
  (version) => {
    const calls = callsIn(`traces-ai-sdk/braintrust-ai-sdk-${version}-otel.span-tree.json`)
    const wire = wirePrompts(`braintrust-seinfeld/ai-sdk-otel-export-${version}.cassette.json`)
    expect(wire).toHaveLength(calls.length)
    for (const call of calls) {
      const { prompt } = call
      const matching = wire.filter((one) => isSame(one)(call))
      expect(matching, printed(call).join('\n')).toHaveLength(1)
      const request = matching[0]!.prompt
      expect(prompt.model).toBe(request.model)
      expect(prompt.provider).toBe(request.provider)
      expect(prompt.tools!.map(({ name, description }) => [name, description])).toEqual(
        request.tools!.map(({ name, description }) => [name, description]),
      )
      expect(prompt.parameters!.temperature).toBe(request.parameters!.temperature)
      expect(prompt.parameters!.max_tokens).toBe(request.parameters!.max_output_tokens)
    }
  },
)

/** Whether the prompt of a trace says what a request says. A request can refer to what its provider has kept. */
function isSame(sent: Pick<ModelCall, 'prompt'>): (call: Pick<ModelCall, 'prompt'>) => boolean {
  const lines = comparable(sent)
  const parts = sent.prompt.messages!.flatMap(({ parts }) => parts)
  const isReference = parts.map(
    (part) =>
      part.type === 'other' && isJsonObject(part.value) && part.value.type === 'item_reference',
  )
  return (call) => {
    const held = comparable(call)
    return (
      held.length === lines.length &&
      held.every((line, index) =>
        isReference[index] ? line.startsWith('assistant: ') : line === lines[index],
      )
    )
  }
}

function callsIn(file: string): ModelCall[] {
  return readTraces(readFileSync(join(FOREIGN, file), 'utf8'), file).traces.flatMap(
    ({ calls }) => calls,
  )
}

function wirePrompts(file: string): Array<Pick<ModelCall, 'prompt'>> {
  const { entries } = JSON.parse(readFileSync(join(FOREIGN, file), 'utf8')) as {
    entries: Array<{ request: { url: string; body: { value?: object; json?: object } } }>
  }
  return entries.flatMap(({ request: { url, body } }) => {
    const value = parseJson(JSON.stringify(body.value ?? body.json ?? null))
    if (!isJsonObject(value) || value.model === undefined) return []
    const bytes = new TextEncoder().encode(JSON.stringify(value))
    const request = wireRequest({
      method: 'POST',
      url,
      headers: new Map([['content-type', 'application/json']]),
      body: bytes.buffer as ArrayBuffer,
    })
    return [{ prompt: dialectOf(request).readPrompt(request) }]
  })
}

/** A prompt in what both have: developers’ instructions are the system’s, and JSON is JSON however it is spelled. */
function comparable(call: Pick<ModelCall, 'prompt'>): string[] {
  return printed(call).map((line) => {
    const [, result] = /^result: (.*)$/s.exec(line) ?? []
    if (result !== undefined) return `result: ${JSON.stringify(parsed(result))}`
    return line.replace(/^developer:/, 'system:')
  })
}
