// Written by `npm run build` from a schema: see tooling/compiled-schemas.ts. Change that one.
/* oxlint-disable */

import { hasOnly, isListOf, isObject, isRecord } from '../../json/checks.ts'
import { hasBodyOnlyWhereItMay, saysSomething } from '../patterns.ts'

const isVersion = (value: any): boolean => typeof value === 'string' && /^1\.\d+$/.test(value)

const isTimestamp = (value: any): boolean =>
  typeof value === 'string' &&
  /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$/.test(value)

const isReason = (value: any): boolean => typeof value === 'string' && value.length >= 1

const isInvalid = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['reason', 'since']) &&
  isReason(value.reason) &&
  isTimestamp(value.since)

const isParamsKey = (value: any): boolean => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value)

const isParamsValueB = (value: any): boolean => Number.isFinite(value)

const isParamsValue = (value: any): boolean => typeof value === 'string' || isParamsValueB(value)

const isParams = (value: any): boolean =>
  isRecord(value) &&
  Object.entries<any>(value).every(([key, item]) => isParamsKey(key) && isParamsValue(item))

const isFileHash = (value: any): boolean => typeof value === 'string' && /^sha256-[0-9a-f]{32}-[0-9a-f]{32}$/.test(value)

const isPrompt = (value: any): boolean => typeof value === 'string' && /^sha256-[0-9a-f]{64}$/.test(value)

const isAnswer = (value: any): boolean => typeof value === 'string' && /^sha256-[0-9a-f]{32}$/.test(value)

const isHashesValue = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['prompt', 'answer']) &&
  isPrompt(value.prompt) &&
  (value.answer === undefined || isAnswer(value.answer))

const isHashes = (value: any): boolean =>
  isRecord(value) &&
  Object.entries<any>(value).every(([key, item]) => typeof key === 'string' && isHashesValue(item))

const isText = (value: any): boolean => isListOf(value, (item) => typeof item === 'string')

const isTextB = (value: any): boolean => isObject(value) && hasOnly(value, ['$text']) && isText(value.$text)

const isText2 = (value: any): boolean => typeof value === 'string' || isTextB(value)

const isMetadata = (value: any): boolean =>
  isRecord(value) &&
  Object.entries<any>(value).every(([key, item]) => typeof key === 'string' && item !== undefined)

const isPrompt2 = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['text', 'hash', 'metadata']) &&
  isText2(value.text) &&
  (value.hash === undefined || isPrompt(value.hash)) &&
  isMetadata(value.metadata)

const isToolCall = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['tool_name', 'parameters', 'result']) &&
  typeof value.tool_name === 'string' &&
  value.parameters !== undefined

const isToolCalls = (value: any): boolean => isListOf(value, (item) => isToolCall(item))

const isInputTokens = (value: any): boolean => Number.isFinite(value) && value >= 0

const isUsage = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'reasoning_output_tokens']) &&
  (value.input_tokens === undefined || isInputTokens(value.input_tokens)) &&
  (value.output_tokens === undefined || isInputTokens(value.output_tokens)) &&
  (value.cache_read_input_tokens === undefined || isInputTokens(value.cache_read_input_tokens)) &&
  (value.cache_creation_input_tokens === undefined || isInputTokens(value.cache_creation_input_tokens)) &&
  (value.reasoning_output_tokens === undefined || isInputTokens(value.reasoning_output_tokens))

const isResponse = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['text', 'reasoning', 'tool_calls', 'finish_reasons', 'usage', 'error', 'incomplete', 'duration_ms', 'kept']) &&
  isText2(value.text) &&
  (value.reasoning === undefined || isText2(value.reasoning)) &&
  (value.tool_calls === undefined || isToolCalls(value.tool_calls)) &&
  (value.finish_reasons === undefined || isText(value.finish_reasons)) &&
  (value.usage === undefined || isUsage(value.usage)) &&
  (value.error === undefined || typeof value.error === 'string') &&
  (value.incomplete === undefined || typeof value.incomplete === 'boolean') &&
  (value.duration_ms === undefined || isInputTokens(value.duration_ms)) &&
  (value.kept === undefined || value.kept === true)

const isMethod = (value: any): boolean => typeof value === 'string' && /^[A-Z]+$/.test(value)

const isUrl = (value: any): boolean =>
  typeof value === 'string' &&
  [URL.parse(value)].every((url) => url && /^(https?|wss?|mcp)$/.test(url.protocol.slice(0, -1)))

const isHeadersKey = (value: any): boolean =>
  typeof value === 'string' &&
  /^(?:(?:anthropic-beta|anthropic-version|aoai-evals|cohere-version|groq-beta|openai-beta|ai-language-model-id|ai-model-id|azureml-model-deployment|groq-model-version|x-amzn-sagemaker-inference-component|x-amzn-sagemaker-target-model|x-amzn-sagemaker-target-variant|x-ms-oai-image-generation-deployment|extra-parameters|x-amzn-bedrock-guardrailidentifier|x-amzn-bedrock-guardrailversion|x-amzn-bedrock-performanceconfig-latency|x-amzn-bedrock-service-tier|x-amzn-bedrock-trace|x-vertex-ai-llm-request-type|x-vertex-ai-llm-shared-request-type|ai-language-model-streaming|prefer|x-amzn-bedrock-accept|x-goog-upload-command|x-goog-upload-header-content-type|accept|content-type|api-version|x-amz-target|x-goog-fieldmask|x-http-method-override|x-api-version|x-ms-model-mesh-model-name|x-policy-id|x-microsoft-outputformat|x-amzn-sagemaker-custom-attributes|x-amzn-bedrock-content-type|x-cerebras-version-patch|cartesia-version|x-goog-api-version|x-app-fal-disable-fallback|x-compute-type|x-load-model|x-use-cache|x-wait-for-model|nvcf-function-asset-ids|nvcf-input-asset-references|x-api-resource-id|x-dashscope-async|x-dashscope-datainspection|x-dashscope-sse|cf-aig-cache-key|cf-aig-skip-cache|helicone-cache-enabled|helicone-fallbacks|helicone-model-override|helicone-moderations-enabled|helicone-prompt-id|helicone-target-provider|helicone-target-url|helicone-token-limit-exception-handler|x-litellm-tags|x-portkey-config|x-portkey-custom-host|x-portkey-provider|x-portkey-strict-open-ai-compliance|x-portkey-virtual-key)|(?!(?:.*[-_])?(?:account|apikey|app|arn|attempts|auth|authorization|backoff|byok|call|callbacks|categories|client|cost|credential|credentials|creds|debug|delay|device|env|euid|event|external|identity|inference-id|key|log|logging|logs|metadata|o11y|omit|org|organization|owner|parent|password|posthog|project|property|protocol|ratelimit|redaction|region|request|resource|retries|retry|role|sec|secret|session|signature|span|spend|tenant|timeout|title|token|trace|ttl|user|useragent|vk|webhook|workspace)(?:[-_]|$))(?:(?:[a-z0-9]+[-_])*(?:model|models|provider|providers|deployment|engine|fallback|fallbacks|guardrail|guardrails)(?:[-_](?:id|name|version|override|alias|class|variant))?|(?:[a-z0-9]+[-_])*(?:api[-_]version|output[-_]format|response[-_]format|routing[-_]strategy|routing[-_]policy|service[-_]tier|endpoint[-_]id|endpoint[-_]name)|(?:[a-z0-9]+[-_])*(?:base[-_]url|target[-_]url|upstream[-_]url|backend[-_]url|upstream|backend|endpoint)|(?:ai-gateway|cf-aig|helicone|x-ai-eg|x-amzn-bedrock|x-amzn-sagemaker|x-arch|x-bf|x-bt|x-dashscope|x-gemini|x-higress|x-kong|x-litellm|x-ms-oai|x-openrouter|x-portkey|x-requesty|x-tfy|x-vertex-ai)-[a-z0-9-]+))$/.test(value)

const isHeadersValue = (value: any): boolean => typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

const isHeaders = (value: any): boolean =>
  isRecord(value) &&
  Object.entries<any>(value).every(([key, item]) => isHeadersKey(key) && isHeadersValue(item))

const isIndent = (value: any): boolean => Number.isSafeInteger(value) && value >= 1 && value <= 16

const isPad = (value: any): boolean => Number.isSafeInteger(value) && value >= 1 && value <= 1000

const isEnd = (value: any): boolean => typeof value === 'string' && /^\s{1,1000}$/.test(value)

const isLayout = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['indent', 'spacedItems', 'spacedKeys', 'ascii', 'pad', 'end']) &&
  (value.indent === undefined || isIndent(value.indent)) &&
  (value.spacedItems === undefined || typeof value.spacedItems === 'boolean') &&
  (value.spacedKeys === undefined || typeof value.spacedKeys === 'boolean') &&
  (value.ascii === undefined || typeof value.ascii === 'boolean') &&
  (value.pad === undefined || isPad(value.pad)) &&
  (value.end === undefined || isEnd(value.end))

const isRequest = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['method', 'url', 'headers', 'older', 'after', 'layout', 'eol', 'body']) &&
  isMethod(value.method) &&
  isUrl(value.url) &&
  (value.headers === undefined || isHeaders(value.headers)) &&
  (value.older === undefined || value.older === 'headers') &&
  (value.after === undefined || typeof value.after === 'string') &&
  (value.layout === undefined || isLayout(value.layout)) &&
  (value.eol === undefined || ['\n', '\r\n'].includes(value.eol))

const isStatus = (value: any): boolean => Number.isSafeInteger(value) && value >= 200 && value <= 599

const isHeaders2 = (value: any): boolean =>
  isRecord(value) &&
  Object.entries<any>(value).every(([key, item]) => ['content-type', 'retry-after', 'retry-after-ms', 'x-amzn-bedrock-content-type', 'x-amzn-errortype', 'x-goog-upload-chunk-granularity', 'x-goog-upload-size-received', 'x-goog-upload-status', 'x-should-retry', 'azure-asyncoperation', 'location', 'operation-location', 'x-goog-upload-control-url', 'x-goog-upload-url', 'anthropic-ratelimit-input-tokens-limit', 'anthropic-ratelimit-input-tokens-remaining', 'anthropic-ratelimit-input-tokens-reset', 'anthropic-ratelimit-output-tokens-limit', 'anthropic-ratelimit-output-tokens-remaining', 'anthropic-ratelimit-output-tokens-reset', 'anthropic-ratelimit-requests-limit', 'anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset', 'anthropic-ratelimit-tokens-limit', 'anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset', 'apim-request-id', 'openai-processing-ms', 'request-id', 'x-amzn-requestid', 'x-ratelimit-limit-requests', 'x-ratelimit-limit-tokens', 'x-ratelimit-remaining-requests', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-requests', 'x-ratelimit-reset-tokens', 'x-request-id'].includes(key) && isHeadersValue(item))

const isAbortedB = (value: any): boolean => Number.isSafeInteger(value) && value >= 0

const isAborted = (value: any): boolean => value === 'before-headers' || isAbortedB(value)

const isResponse2 = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['status', 'headers', 'hash', 'layout', 'eol', 'body', 'cut', 'aborted']) &&
  isStatus(value.status) &&
  isHeaders2(value.headers) &&
  (value.hash === undefined || isAnswer(value.hash)) &&
  (value.layout === undefined || isLayout(value.layout)) &&
  (value.eol === undefined || ['\n', '\r\n'].includes(value.eol)) &&
  (value.cut === undefined || typeof value.cut === 'boolean') &&
  (value.aborted === undefined || isAborted(value.aborted)) &&
  hasBodyOnlyWhereItMay(value)

const isWire = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['request', 'response']) &&
  isRequest(value.request) &&
  (value.response === undefined || isResponse2(value.response))

const isExchangeA = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['id', 'prompt', 'response', 'wire']) &&
  typeof value.id === 'string' &&
  isPrompt2(value.prompt) &&
  isResponse(value.response) &&
  isWire(value.wire)

const isPrompt3 = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['text', 'hash', 'metadata']) &&
  isText2(value.text) &&
  (value.hash === undefined || typeof value.hash === 'string') &&
  (value.metadata === undefined || isMetadata(value.metadata))

const isStatus2 = (value: any): boolean => Number.isSafeInteger(value) && value >= 400 && value <= 599

const isResponse3 = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['text', 'reasoning', 'tool_calls', 'finish_reasons', 'usage', 'error', 'incomplete', 'duration_ms', 'status']) &&
  (value.text === undefined || isText2(value.text)) &&
  (value.reasoning === undefined || isText2(value.reasoning)) &&
  (value.tool_calls === undefined || isToolCalls(value.tool_calls)) &&
  (value.finish_reasons === undefined || isText(value.finish_reasons)) &&
  (value.usage === undefined || isUsage(value.usage)) &&
  (value.error === undefined || typeof value.error === 'string') &&
  (value.incomplete === undefined || typeof value.incomplete === 'boolean') &&
  (value.duration_ms === undefined || isInputTokens(value.duration_ms)) &&
  (value.status === undefined || isStatus2(value.status)) &&
  saysSomething(value)

const isExchangeB = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['id', 'wire', 'prompt', 'response']) &&
  (value.id === undefined || typeof value.id === 'string') &&
  value.wire === undefined &&
  isPrompt3(value.prompt) &&
  isResponse3(value.response)

const isExchange = (value: any): boolean => isExchangeA(value) || isExchangeB(value)

const isExchanges = (value: any): boolean => isListOf(value, (item) => isExchange(item))

const isCassette = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['$schema', 'version', 'conversation_id', 'timestamp', 'oldest_answer', 'invalid', 'params', 'proposed_params', 'file_hash', 'hashes', 'exchanges']) &&
  (value.$schema === undefined || typeof value.$schema === 'string') &&
  isVersion(value.version) &&
  typeof value.conversation_id === 'string' &&
  isTimestamp(value.timestamp) &&
  (value.oldest_answer === undefined || isTimestamp(value.oldest_answer)) &&
  (value.invalid === undefined || isInvalid(value.invalid)) &&
  (value.params === undefined || isParams(value.params)) &&
  (value.proposed_params === undefined || isParams(value.proposed_params)) &&
  (value.file_hash === undefined || isFileHash(value.file_hash)) &&
  (value.hashes === undefined || isHashes(value.hashes)) &&
  isExchanges(value.exchanges)

export { isCassette }
export const isJsonLayout = isLayout
