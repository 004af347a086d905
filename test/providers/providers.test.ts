import { expect, test } from 'vitest'
import { endpointOf, providerOf } from '../../src/providers/providers.ts'

/** Providers each of whose hosts is a service of its own. */
const SERVICES = ['assemblyai', 'deepgram', 'fal', 'pollinations', 'prodia']

/** Hosts that are one model, or one project. */
const MODEL_OR_PROJECT = /endpoints\.huggingface|\.api\.baseten|(?:services|models)\.ai\.azure/

test.each([
  ['https://api.openai.com/v1/responses', 'openai'],
  ['https://eu.api.openai.com/v1/responses', 'openai'],
  ['https://api.anthropic.com/v1/messages', 'anthropic'],
  ['https://acme.openai.azure.com/openai/deployments/gpt/chat/completions', 'azure.ai.openai'],
  ['https://acme.cognitiveservices.azure.com/openai/responses', 'azure.ai.openai'],
  ['https://acme.services.ai.azure.com/models/chat/completions', 'azure.ai.inference'],
  ['https://bedrock-runtime.eu-central-1.amazonaws.com/model/x/converse', 'aws.bedrock'],
  ['https://bedrock-mantle.us-east-1.api.aws/v1/responses', 'aws.bedrock'],
  ['https://vpce-1.bedrock-runtime.us-east-1.vpce.amazonaws.com/', 'aws.bedrock'],
  ['https://generativelanguage.googleapis.com/v1/models/x:generateContent', 'gcp.gemini'],
  ['https://europe-west1-aiplatform.googleapis.com/v1/projects', 'gcp.vertex_ai'],
  ['https://aiplatform.googleapis.com/v1/projects', 'gcp.vertex_ai'],
  ['https://api.mistral.ai/v1/chat/completions', 'mistral_ai'],
  ['https://api.cohere.com/v2/chat', 'cohere'],
  ['https://api.groq.com/openai/v1/chat/completions', 'groq'],
  ['https://api.together.xyz/v1/chat/completions', 'together_ai'],
  ['https://api.deepseek.com/chat/completions', 'deepseek'],
  ['https://api.x.ai/v1/chat/completions', 'x_ai'],
  ['https://api.perplexity.ai/chat/completions', 'perplexity'],
  ['https://openrouter.ai/api/v1/chat/completions', 'openrouter'],
  ['https://stream.replicate.com/v1/predictions/1', 'replicate'],
  ['https://abc.us-east-1.aws.endpoints.huggingface.cloud/v1/chat/completions', 'huggingface'],
  ['https://ai-gateway.vercel.sh/v4/ai/language-model', 'vercel_ai_gateway'],
  ['https://ollama.com/api/chat', 'ollama'],
  ['https://api.deepgram.com/v1/listen?model=nova-3', 'deepgram'],
  ['wss://api.eu.deepgram.com/v1/listen', 'deepgram'],
  ['https://api.assemblyai.com/v2/transcript/1', 'assemblyai'],
  ['https://api.eu.assemblyai.com/v2/upload', 'assemblyai'],
  ['wss://streaming.assemblyai.com/v3/ws', 'assemblyai'],
  ['https://api.elevenlabs.io/v1/text-to-speech/x', 'elevenlabs'],
  ['https://api.eu.residency.elevenlabs.io/v1/speech-to-text', 'elevenlabs'],
  ['https://queue.fal.run/fal-ai/flux/requests/1/status', 'fal'],
  ['https://fal.run/fal-ai/flux', 'fal'],
  ['https://api.lumalabs.ai/dream-machine/v1/generations/1', 'luma'],
  ['https://api.hume.ai/v0/tts/file', 'hume'],
  ['https://api.lmnt.com/v1/ai/speech/bytes', 'lmnt'],
  ['https://api.gladia.io/v2/pre-recorded/1', 'gladia'],
  ['https://api.rev.ai/speechtotext/v1/jobs/1', 'revai'],
  ['https://ec1.api.rev.ai/speechtotext/v1/jobs', 'revai'],
  ['https://api.bfl.ai/v1/get_result?id=1', 'black_forest_labs'],
  ['https://api.us1.bfl.ai/v1/get_result?id=1', 'black_forest_labs'],
  ['https://inference.prodia.com/v2/job', 'prodia'],
  ['https://api-singapore.klingai.com/v1/videos/text2video/1', 'klingai'],
  ['https://ark.ap-southeast.bytepluses.com/api/v3/contents/generations/tasks/1', 'byteplus'],
  ['https://api.stability.ai/v2beta/stable-image/generate/core', 'stability_ai'],
  ['https://runtime.sagemaker.eu-central-1.amazonaws.com/endpoints/x/invocations', 'aws.sagemaker'],
  ['https://image.pollinations.ai/prompt/lawn', 'pollinations'],
  ['https://API.OpenAI.com./v1/models', 'openai'],
])('%s is of %s', (url, provider) => {
  expect(providerOf(new URL(url))).toBe(provider)
  const { hostname } = new URL(url)
  const counts = SERVICES.includes(provider) || MODEL_OR_PROJECT.test(hostname)
  expect(endpointOf(new URL(url))).toBe(counts ? hostname : provider)
})

test.each([
  ['https://image.pollinations.ai/models', 'https://text.pollinations.ai/models'],
  ['https://fal.run/fal-ai/flux', 'https://queue.fal.run/fal-ai/flux'],
  [
    'https://a.eu-west-1.aws.endpoints.huggingface.cloud',
    'https://b.eu-west-1.aws.endpoints.huggingface.cloud',
  ],
  ['https://a.endpoints.huggingface.cloud', 'https://router.huggingface.co'],
  ['https://model-1.api.baseten.co/v1', 'https://model-2.api.baseten.co/v1'],
  ['https://model-1.api.baseten.co/v1', 'https://inference.baseten.co/v1'],
  ['https://llama.eastus2.models.ai.azure.com', 'https://phi.eastus2.models.ai.azure.com'],
  [
    'https://shop.services.ai.azure.com/api/projects/a',
    'https://bank.services.ai.azure.com/api/projects/a',
  ],
  ['http://llama.localhost:1234', 'http://qwen.localhost:1234'],
  ['http://llama.localhost:1234', 'http://localhost:1234'],
  ['https://a--llama.modal.run', 'https://a--qwen.modal.run'],
  ['https://abc-8000.proxy.runpod.net', 'https://def-8000.proxy.runpod.net'],
])('%s and %s are two services, though of one provider', (one, other) => {
  expect(endpointOf(new URL(one))).not.toBe(endpointOf(new URL(other)))
})

test.each([
  'https://openai.com/',
  'https://api.openai.com.example.com/v1/responses',
  'https://evil-api.openai.com.example/v1',
  'https://openai.azure.com/',
  'https://acme-openai.azure.com/openai/responses',
  'https://storage.googleapis.com/bucket',
  'https://-aiplatform.googleapis.com/v1',
  'https://s3.us-east-1.amazonaws.com/bucket',
  'https://huggingface.co/gpt2/resolve/main/config.json',
  'https://example.com/api.openai.com',
  'https://v3.fal.media/files/a.png',
  'https://api.sagemaker.us-east-1.amazonaws.com/',
  'https://elevenlabs.io/app',
])('%s is of no known provider', (url) => {
  expect(providerOf(new URL(url))).toBeUndefined()
  expect(endpointOf(new URL(url))).toBe(new URL(url).hostname)
})

test.each([
  'http://localhost:11434/v1/chat/completions',
  'http://localhost/v1/chat/completions',
  'http://127.0.0.1:8080/v1/chat/completions',
  'http://127.1.2.3/v1/chat/completions',
  'http://[::1]:4000/v1/chat/completions',
  'http://0.0.0.0:4000/v1/chat/completions',
])('%s is this machine, whatever its port', (url) => {
  expect(providerOf(new URL(url))).toBeUndefined()
  expect(endpointOf(new URL(url))).toBe('localhost')
})

test('keeps hosts apart that only look like this machine', () => {
  expect(endpointOf(new URL('http://localhost.example.com/'))).toBe('localhost.example.com')
  expect(endpointOf(new URL('http://1.127.0.0/'))).toBe('1.127.0.0')
  expect(endpointOf(new URL('http://128.0.0.1/'))).toBe('128.0.0.1')
})
