import { expect, test } from 'vitest'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { diffPrompts } from '../../src/diff/diff-prompts.ts'
import { summarizeChange } from '../diff/as-shown.ts'
import { promptFor } from '../../src/engine/read-prompt.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { digestIn } from '../../src/secrets/wire-request.ts'
import { keepAskingHeaders } from '../../src/providers/asking-headers.ts'
import type { WireRequest } from '../../src/wire/message.ts'
import { exampleCassette } from '../cassette/example-cassette.ts'

const sent = {
  authorization: 'Bearer secret',
  'AI-Language-Model-Id': 'openai/gpt-5',
  'ai-language-model-streaming': 'false',
  'ai-language-model-specification-version': '4',
  'user-agent': 'ai/7.0.173',
}

const asked = (headers: Record<string, string>): WireRequest => ({
  method: 'POST',
  url: 'https://ai-gateway.vercel.sh/v4/ai/language-model',
  ...keepAskingHeaders(
    new Headers(headers),
    digestIn('https://llm.example.com'),
    'https://llm.example.com',
  ),
  body: {
    kind: 'json',
    value: { prompt: [{ role: 'system', content: 'Be brief.' }] },
    layout: {},
  },
})

const hashOf = (headers: Record<string, string>): string => readIncoming(asked(headers)).hash

test('only the headers that say what is asked are kept', () => {
  expect(asked(sent).headers).toEqual({
    'ai-language-model-id': 'openai/gpt-5',
    'ai-language-model-streaming': 'false',
  })
  expect(asked({ authorization: 'Bearer secret' })).not.toHaveProperty('headers')
})

test('another model or another form of the answer is another prompt', () => {
  const hash = hashOf(sent)
  expect(hashOf({ ...sent, authorization: 'Bearer other', 'user-agent': 'ai/8' })).toBe(hash)
  expect(hashOf({ ...sent, 'AI-Language-Model-Id': 'openai/gpt-5-mini' })).not.toBe(hash)
  expect(hashOf({ ...sent, 'ai-language-model-streaming': 'true' })).not.toBe(hash)
  expect(hashOf({})).not.toBe(hash)
})

test('the model in the header is the model of the prompt', () => {
  const prompt = promptFor(readIncoming(asked({ ...sent, 'ai-language-model-streaming': 'true' })))
  expect(prompt).toMatchObject({ model: 'openai/gpt-5', parameters: { stream: true } })
})

test('no key is stored: not in a configuration, not under a name that nobody knows', () => {
  const key = 'ab12-key-of-a-provider'
  const headers = {
    'x-portkey-config': JSON.stringify({ targets: [{ api_key: key, virtual_key: 'openai-1' }] }),
    'helicone-fallbacks': JSON.stringify([{ headers: { Authorization: `Bearer ${key}` } }]),
    'x-portkey-virtual-key': key,
    'x-portkey-invented': key,
    'x-portkey-aws-access-key-id': key,
    'x-target-url': `https://u:${key}@a.example/v1?key=${key}`,
    'x-upstream': key,
    serve_model_api_key: key,
  }
  expect(JSON.stringify(asked(headers))).not.toContain(key)
  expect(asked(headers).headers!['x-portkey-config']).toBe(
    '{"targets":[{"api_key":"<REDACTED:api_key>","virtual_key":"openai-1"}]}',
  )
})

test('headers that count come back from the file, and no other header is let in', () => {
  const cassette = exampleCassette({})
  cassette.exchanges[0]!.wire!.request = asked(sent)
  const { stored } = encodeCassette(cassette, 'schema.json')
  const read = parseCassette(printCassette(stored))
  const { exchanges } = decodeCassette(read, () => Buffer.of())
  expect(exchanges[0]!.wire!.request).toEqual(asked(sent))

  const text = printCassette(stored).replace('ai-language-model-id', 'authorization')
  expect(() => parseCassette(text)).toThrow(/\/headers/)
})

test('a changed header is a change of the prompt', () => {
  const [one, other] = ['a, b', 'a, c'].map((value) =>
    promptFor(readIncoming(asked({ 'anthropic-beta': value, 'ai-model-id': 'x' }))),
  )
  expect(diffPrompts(one!, other!).map(summarizeChange)).toEqual([
    'header anthropic-beta: a, b → a, c',
  ])
  const { headers: _, ...without } = one!
  expect(diffPrompts(without, other!).map(summarizeChange)).toEqual([
    'header anthropic-beta: added',
  ])
})

test.each([
  ['prefer', 'wait=5, respond-async', 'respond-async,wait=5', true],
  ['prefer', 'wait=5', 'wait=6', false],
  ['openai-beta', 'assistants=v2', 'assistants=v1', false],
  ['anthropic-version', '2023-06-01', '2026-10-21', false],
  ['x-amzn-bedrock-guardrailidentifier', 'strict', 'loose', false],
  ['x-amzn-bedrock-service-tier', 'flex', 'priority', false],
  ['accept', 'audio/mpeg', 'audio/wav', false],
  ['accept', 'application/json', 'audio/mpeg', false],
  ['accept', 'application/json', 'text/event-stream', true],
  ['accept', 'text/event-stream, application/json', 'Text/Event-Stream;q=0.9', true],
  ['accept', 'application/json', '*/*', true],
  ['accept', '', 'application/json, text/plain, */*', true],
  ['accept', 'application/json', 'text/plain', true],
  ['accept', 'application/json', 'application/x-ndjson', true],
  ['accept', 'application/jsonl', 'application/json', true],
  ['accept', 'application/json', 'application/json; version=2', true],
  ['accept', 'application/vnd.api.v1+json', 'application/vnd.api.v2+json', true],
  ['accept', 'application/json; charset=utf-8', 'application/json;q=0.9', true],
  ['content-type', 'audio/l16; rate=16000', 'audio/l16;rate=8000', false],
  ['content-type', 'audio/l16; rate=16000', 'audio/L16;rate=16000', true],
  ['content-type', 'application/json', 'application/json; charset=utf-8', true],
  ['content-type', 'multipart/form-data; boundary=a', 'multipart/form-data; boundary=b', true],
  ['content-type', 'application/ssml+xml', 'text/plain', false],
  ['x-portkey-config', 'pc-fast', 'pc-cheap', false],
  [
    'x-portkey-config',
    '{"provider":"openai","api_key":"a"}',
    '{"api_key":"b", "provider":"openai"}',
    true,
  ],
  ['x-portkey-config', '{"provider":"openai"}', '{"provider":"anthropic"}', false],
  ['x-portkey-provider', 'openai', 'anthropic', false],
  ['x-portkey-virtual-key', 'openai-1', 'groq-1', false],
  ['x-portkey-cache-namespace', 'a', 'b', false],
  ['x-portkey-api-key', 'a', 'b', true],
  ['x-portkey-trace-id', 'a', 'b', true],
  ['x-portkey-metadata', '{"user":"a"}', '{"user":"b"}', true],
  ['x-portkey-aws-secret-access-key', 'a', 'b', true],
  ['x-portkey-aws-region', 'us-east-1', 'eu-west-1', true],
  [
    'helicone-fallbacks',
    '[{"target-url":"https://a.example"}]',
    '[{"target-url":"https://b.example"}]',
    false,
  ],
  ['helicone-target-url', 'https://a.example', 'https://b.example', false],
  ['helicone-prompt-id', 'a', 'b', false],
  ['helicone-cache-seed', 'a', 'b', false],
  ['helicone-auth', 'Bearer a', 'Bearer b', true],
  ['helicone-session-id', 'a', 'b', true],
  ['helicone-request-id', 'a', 'b', true],
  ['helicone-property-app', 'a', 'b', true],
  ['cf-aig-skip-cache', 'true', 'false', false],
  ['cf-aig-cache-key', 'a', 'b', false],
  ['cf-aig-authorization', 'Bearer a', 'Bearer b', true],
  ['cf-aig-metadata', 'a', 'b', true],
  ['cf-aig-custom-cost', '1', '2', true],
  ['x-litellm-tags', 'fast,eu', 'eu, fast', true],
  ['x-litellm-tags', 'fast', 'cheap', false],
  ['x-litellm-timeout', '1', '2', true],
  ['x-dashscope-sse', 'enable', 'disable', false],
  ['x-dashscope-async', 'enable', 'disable', false],
  ['x-dashscope-workspace', 'a', 'b', true],
  ['x-tfy-provider-name', 'a', 'b', false],
  ['x-bt-use-cache', 'always', 'never', false],
  ['x-model', 'llama', 'qwen', false],
  ['x-model-provider', 'a', 'b', false],
  ['x-upstream-model-id', 'a', 'b', false],
  ['ai-embedding-model-id', 'a', 'b', false],
  ['ai-gateway-protocol-version', '0.0.1', '0.0.2', true],
  ['ai-o11y-deployment-id', 'a', 'b', true],
  ['x-ms-model-mesh-model-name', 'a', 'b', false],
  ['x-policy-id', 'a', 'b', false],
  ['x-microsoft-outputformat', 'riff-16khz', 'riff-8khz', false],
  ['x-use-cache', 'true', 'false', false],
  ['x-wait-for-model', 'true', 'false', false],
  ['x-amzn-sagemaker-custom-attributes', 'a', 'b', false],
  ['x-amzn-sagemaker-inference-id', 'a', 'b', true],
  ['x-amzn-bedrock-agentcore-runtime-session-id', 'a', 'b', true],
  ['x-models', 'a, b', 'a, c', false],
  ['x-model-alias', 'a', 'b', false],
  ['x-fallback-models', 'a', 'b', false],
  ['x-app-fal-disable-fallback', 'true', 'false', false],
  ['serve_multiplexed_model_id', 'a', 'b', false],
  ['x-deployment-id', 'a', 'b', false],
  ['azure-openai-deployment', 'a', 'b', false],
  ['x-engine', 'a', 'b', false],
  ['x-databricks-serving-endpoint', 'a', 'b', false],
  ['x-endpoint-id', 'a', 'b', false],
  ['x-guardrails', 'a', 'b', false],
  ['x-guardrail-id', 'a', 'b', false],
  ['routing-strategy', 'random', 'least-request', false],
  ['x-routing-policy', 'a', 'b', false],
  ['x-service-tier', 'flex', 'priority', false],
  ['x-output-format', 'mp3', 'wav', false],
  ['x-response-format', 'json', 'text', false],
  ['x-github-api-version', '2022-11-28', '2026-03-01', false],
  ['x-pinecone-api-version', '2025-01', '2025-04', false],
  ['helicone-token-limit-exception-handler', 'truncate', 'fallback', false],
  ['x-openai-base-url', 'https://a.example/v1', 'https://b.example/v1', false],
  ['x-target-url', 'https://a.example/v1', 'https://a.example/v2', false],
  ['x-target-url', 'http://u:secret@localhost:4000/v1?key=a', 'http://127.0.0.1:5000/v1', true],
  ['x-upstream', 'blue', 'green', false],
  ['x-backend', 'blue', 'green', false],
  ['x-stainless-runtime-version', 'v22', 'v24', true],
  ['x-goog-api-client', 'a', 'b', true],
  ['x-device-model', 'a', 'b', true],
  ['sec-ch-ua-model', 'a', 'b', true],
  ['x-auth-provider', 'a', 'b', true],
  ['x-title', 'a', 'b', true],
  ['x-request-id', 'a', 'b', true],
  ['traceparent', 'a', 'b', true],
  ['anthropic-workspace-id', 'a', 'b', true],
  ['openai-organization', 'a', 'b', true],
])('%s: %s and %s are the same: %s', (name, one, other, same) => {
  expect(hashOf({ [name]: one }) === hashOf({ [name]: other })).toBe(same)
})

test('the host that is named counts where it is not that of the address', () => {
  const kept = (url: string, host: string): string | undefined =>
    keepAskingHeaders(new Headers({ host }), String, url).headers?.host
  const same = [
    ['http://127.0.0.1:8080/v1', '127.0.0.1:8080'],
    ['http://127.0.0.1:8080/v1', 'localhost:9090'],
    ['http://[::1]:8080/v1', '127.0.0.1'],
    ['https://llm.example.com/v1', 'LLM.example.com:443'],
    ['https://llm.example.com./v1', 'llm.example.com.'],
    ['https://eu.api.openai.com/v1', 'api.openai.com'],
    ['wss://llm.example.com:4430/v1', 'llm.example.com'],
  ] as const
  for (const [url, host] of same) expect(kept(url, host), host).toBeUndefined()
  const url = 'http://127.0.0.1:8080/v1'
  expect(kept(url, 'Model-A.example:8080')).toBe('model-a.example')
  expect(kept(url, 'model-a.localhost')).toBe('model-a.localhost')
  expect(kept(url, 'no host')).toBe('no host')
  const hash = (host: string): string =>
    readIncoming({ method: 'GET', url, headers: { host }, body: { kind: 'empty' } }).hash
  expect(hash('model-a.example')).not.toBe(hash('model-b.example'))
  expect(hash('one.openai.azure.com')).toBe(hash('other.openai.azure.com'))
})

test('the subprotocols of a socket count in their order, without what authenticates', () => {
  const key = '4f9a7c2e8b1d6053a4f9c7e2'
  const kept = (value: string): string | undefined =>
    keepAskingHeaders(
      new Headers({ 'sec-websocket-protocol': value }),
      digestIn('wss://llm.example.com'),
      'wss://llm.example.com',
    ).headers?.['sec-websocket-protocol']
  const known = {
    '': undefined,
    realtime: 'realtime',
    'realtime,  openai-beta.realtime-v1': 'realtime, openai-beta.realtime-v1',
    'b, a': 'b, a',
    'graphql-transport-ws, v4.channel.k8s.io': 'graphql-transport-ws, v4.channel.k8s.io',
    'realtime, openai-insecure-api-key.test, openai-project.one': 'realtime',
    [`token, ${key}`]: 'token',
    'token, test': 'token',
    [`base64url.bearer.authorization.k8s.io.${key}, base64.binary.k8s.io`]: 'base64.binary.k8s.io',
    [key]: undefined,
  }
  for (const [value, stored] of Object.entries(known)) expect(kept(value), value).toBe(stored)
})
