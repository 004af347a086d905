import { expect, test } from 'vitest'
import { isGuarded } from '../../src/transports/intercept/guard/guard-policy.ts'
import { matchesHost } from '../../src/config/hosts.ts'
import { isLlmSocket, judgeAddress } from '../../src/transports/intercept/call/judge-address.ts'
import { sideRequestOf } from '../../src/transports/intercept/call/side-request.ts'

const options = { hosts: ['llm.example.com', 'localhost:8080'], allowHosts: ['api.groq.com'] }

test.for([
  ['POST', 'https://api.openai.com/v1/anything', 'certain'],
  ['GET', 'https://api.openai.com/logo.png', 'certain'],
  ['POST', 'https://llm.example.com/x', 'certain'],
  ['POST', 'http://localhost:8080/x', 'certain'],
  ['POST', 'http://localhost:8081/v1/chat/completions', 'likely'],
  ['PUT', 'http://localhost:8081/v1/chat/completions', 'likely'],
  ['patch', 'http://localhost:8081/v1/chat/completions', 'likely'],
  ['GET', 'http://localhost:8081/v1/chat/completions', 'no'],
  ['POST', 'http://localhost:8081/orders', 'no'],
  ['POST', 'https://api.groq.com/openai/v1/chat/completions', 'no'],
  ['POST', 'https://api.openai.com/v1/traces/ingest', 'no'],
  ['POST', 'https://api.smith.langchain.com/runs/multipart', 'no'],
  ['GET', 'https://huggingface.co/api/models/a/b?expand[]=inferenceProviderMapping', 'certain'],
  ['GET', 'https://huggingface.co/a/b/resolve/main/tokenizer.json', 'no'],
  ['GET', 'https://example.com/api/models/a/b?expand[]=inferenceProviderMapping', 'no'],
] as const)('%s %s is an LLM call: %s', ([method, url, expected]) => {
  expect(judgeAddress(method, new URL(url), options)).toBe(expected)
})

test.for([
  ['http://api.openai.com/v1/realtime', true],
  ['http://127.0.0.1:1/v1/realtime?model=gpt', true],
  ['http://127.0.0.1:1/v1/responses', true],
  [
    'http://127.0.0.1:1//ws/google.ai.generativelanguage.v1.GenerativeService.BidiGenerateContent',
    true,
  ],
  ['http://127.0.0.1:1/socket.io', false],
  ['http://api.groq.com/v1/realtime', false],
] as const)('the socket %s talks to a model: %s', ([url, expected]) => {
  expect(isLlmSocket(new URL(url), options)).toBe(expected)
})

test.for([
  ['api.openai.com', 443, true],
  ['api.openai.com.', 443, true],
  ['API.OpenAI.com', 443, true],
  ['bedrock-runtime.eu-west-1.amazonaws.com', 443, true],
  ['169.254.169.254', 80, true],
  ['localhost', 8080, true],
  ['localhost', 8081, false],
  ['LOCALHOST.', 8080, true],
  ['api.openai.com\u3002', 443, true],
  ['ａｐｉ.openai.com', 443, true],
  ['::1', 8080, true],
  ['::1', 8081, false],
  ['127.0.0.1', 8080, true],
  ['github.com', 443, false],
  ['api.groq.com', 443, false],
] as const)('a connection to %s:%i is guarded: %s', ([host, port, expected]) => {
  expect(isGuarded({ host, port, transport: 'node:net' }, options)).toBe(expected)
})

test.for([
  ['https://eu.api.smith.langchain.com/info', 'upload'],
  ['https://metadata.google.internal./x', 'metadata'],
  ['http://[fd00:ec2::254]/x', 'metadata'],
  ['https://tiktoken.pages.dev/js/o200k_base.json', 'download'],
  ['https://router.huggingface.co/v1/chat/completions', undefined],
  ['https://huggingface.co/api/models/a/b?expand[]=inferenceProviderMapping', undefined],
  ['https://huggingface.co/api/models/a/b?expand=inferenceProviderMapping', undefined],
  ['https://huggingface.co/api/models/a/b', 'download'],
  ['https://huggingface.co/api/models/a/b/tree/main', 'download'],
  ['https://api.anthropic.com/api/event_logging/v2/batch', 'upload'],
  ['https://api.anthropic.com/api/claude_code/metrics', 'upload'],
  ['https://api.anthropic.com/api/claude_code/policy_limits', 'program'],
  ['https://api.anthropic.com/api/hello', 'program'],
  ['https://api.anthropic.com/v1/messages?beta=true', undefined],
  ['https://api.anthropic.com/v1/organizations/usage_report/messages', undefined],
  ['https://http-intake.logs.us5.datadoghq.com/api/v2/logs', 'upload'],
  ['https://platform.claude.com/v1/oauth/token', 'program'],
  ['https://storage.googleapis.com/claude-code-dist-86c565f3/latest', 'program'],
  ['https://storage.googleapis.com/pictures/cat.png', undefined],
  ['https://collector.github.com/github/collect', 'upload'],
  ['https://metrics.cursor.sh/4508016051945472', 'upload'],
  ['https://models.opencode.ai/api.json', 'program'],
] as const)('%s is a side request: %s', ([url, expected]) => {
  expect(sideRequestOf(new URL(url))).toBe(expected)
})

test.for([
  ['https://llm.example.com', ['*.example.com'], true],
  ['https://example.com', ['*.example.com'], false],
  ['https://anything.test', ['*'], true],
  ['http://localhost:8080', ['localhost'], true],
  ['http://localhost:8080', ['localhost:80'], false],
  ['http://LLM.example.com.:8080', ['LLM.Example.com:8080'], true],
  ['http://llm.example.com.', ['*.example.com.'], true],
  ['http://[::ffff:127.0.0.1]:8080', ['127.0.0.1:8080'], true],
  ['http://[::ffff:127.0.0.1]', ['127.0.0.1'], true],
  ['http://0x7f.1', ['127.0.0.1'], true],
  ['http://127.0.0.1@elsewhere.test', ['127.0.0.1'], false],
] as const)('%s matches %j: %s', ([url, patterns, expected]) => {
  expect(matchesHost(new URL(url), patterns)).toBe(expected)
})

test.each([
  ['https://chatgpt.com/backend-api/plugins/list', 'program'],
  ['https://chatgpt.com/backend-api/codex/responses', undefined],
  ['https://chatgpt.com/', 'program'],
  ['https://ab.chatgpt.com/otlp/v1/metrics', 'upload'],
  ['https://auth.openai.com/oauth/token', 'program'],
  ['https://telemetry.individual.githubcopilot.com/telemetry', 'upload'],
  ['https://api.githubcopilot.com/chat/completions', undefined],
  ['https://models.dev/api.json', 'program'],
  ['https://play.googleapis.com/log?format=json', 'upload'],
  ['https://play.googleapis.com/store', undefined],
  ['https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices.json', 'download'],
  ['https://raw.githubusercontent.com/user/repo/main/file.json', undefined],
  ['https://eu.api.smith.langchain.com/runs', 'upload'],
])('side requests of agent programs: %s is %s', (url, kind) => {
  expect(sideRequestOf(new URL(url))).toBe(kind)
})
