import { expect, test } from 'vitest'
import { dialectOf } from '../../src/providers/dialects.ts'
import type { Completion } from '../../src/prompt/completion.ts'
import { textOf } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'
import { addressOf, bytesOf, eachCorpus, type CorpusExchange } from '../corpus.ts'

/** Which dialect is spoken at which path, as the providers document it. */
const PATHS: [ending: RegExp, dialect: string][] = [
  [/\/ml\/v1\/text\/\w+$/, 'watsonx'],
  [/\/fim\/completions$/, 'mistral-fim'],
  [/\/chat\/completions$|writer\.com\/v1\/chat$|pollinations\.ai\/openai$/, 'openai-chat'],
  [/\/responses(?:\/compact)?$/, 'openai-responses'],
  [/\/api\/embed(?:dings)?$/, 'ollama-embed'],
  [/\/embeddings$/, 'openai-embeddings'],
  [/\/v1\/completions$/, 'openai-completions'],
  [/\/messages$|\/publishers\/anthropic\/.+:streamRawPredict$/, 'anthropic-messages'],
  [/\/v1\/complete$/, 'anthropic-complete'],
  [/\/(?:count_tokens|input_tokens)$/, 'token-count'],
  [/:(?:streamGenerate|generate)Content$/, 'gemini-generate'],
  [/:(?:embedContent|batchEmbedContents)$|embedding-\d+:predict$/, 'gemini-embeddings'],
  [/\/interactions$/, 'gemini-interactions'],
  [/:countTokens$/, 'gemini-count-tokens'],
  [/\/converse(?:-stream)?$/, 'bedrock-converse'],
  [/\/invoke(?:-with-response-stream)?$/, 'bedrock-invoke'],
  [/\/v2\/chat$/, 'cohere-chat'],
  [/\/v2\/embed$/, 'cohere-embed'],
  [/\/v\d\/rerank$/, 'cohere-rerank'],
  [/\/api\/(?:chat|generate)$/, 'ollama-chat'],
  [/replicate\.com\/.+\/predictions$/, 'replicate'],
  [/\/ai\/run\/@/, 'cloudflare-run'],
  [/\/generate_stream$/, 'hugging-face-text'],
  [/\/ai\/language-model$/, 'vercel-gateway'],
  [/\/ai\/embedding-model$/, 'vercel-embeddings'],
  [/\/v1\/conversations$/, 'mistral-conversations'],
  [/\/v1\/ocr$/, 'mistral-ocr'],
  [/\/v1\/(?:images\/\w+|audio\/\w+|moderations|videos)$/, 'openai-media'],
  [/\/realtime\/client_secrets$/, 'openai-realtime-session'],
  [/^mcp:\/\//, 'mcp'],
  [/\/agentAliases\/.+\/text$|\/retrieveAndGenerate$/, 'bedrock-agent'],
]

/** Dialects whose answers are no text that a model ended for a reason. */
const COUNTS =
  /-(?:embeddings|embed|rerank|count-tokens|count)$|^token-count$|^openai-realtime-session$|^replicate$|^cloudflare-run$|^mcp$|^openai-media$/

/** Formats that are shown as they were sent. */
const AS_SENT =
  /\/ml\/v1\/text\/|\/fim\/completions|\/generate_stream|endpoints\.huggingface\.cloud\/$|api-inference\.huggingface\.co\/|\/v1\/conversations|\/v1\/ocr|cohere\.com\/v1\/chat|\/agentAliases\/|\/retrieveAndGenerate|cohere\.ai\/v1\/generate$|sourcegraph\.com\/|aleph-alpha\.com\//

/** Requests that ask a model for nothing: files, stores, traces, lists, steps of an assistant. */
const BESIDE =
  /\/(?:files|responses\/compact|text\/embeddings|fileSearchStores|traces\/ingest|threads\/[^/]+\/runs|v1\/speak|flux-dev)\b|feature-extraction$/

const COUNTED = /"(?:usage|usageMetadata)":\s*\{\s*"|"(?:prompt_eval_count|billed_units)":/

/** What no answer says that does not call a tool. */
const CALLED =
  /"functionCall":|"tool-call-start"|"tool_calls":\s*\[\s*\{|"type":\s*"(?:function_call|tool_use)"|"toolUse":\s*\{/

eachCorpus((corpus) => {
  test('knows the dialect of every exchange that has one', () => {
    const asked = corpus.filter((exchange) => exchange.method === 'POST' && exchange.request_body)
    const wrong = asked.flatMap((exchange) => {
      const { name } = dialectOf(requestOf(exchange))
      const expected = expectedDialect(exchange)
      return name === (expected ?? 'generic') ? [] : `${exchange.url} as ${name}, not ${expected}`
    })
    const names = asked.map((exchange) => dialectOf(requestOf(exchange)).name)
    console.log(`dialects: ${tally(names)}`)
    expect(wrong).toEqual([])
  })

  test('reads what real providers answered', () => {
    const answers = corpus.filter(isGeneration)
    const problems = answers.flatMap((exchange) => {
      const dialect = dialectOf(requestOf(exchange))
      const response = responseOf(exchange)
      const found =
        dialect.name === 'generic'
          ? ['no dialect']
          : problemsOf(dialect.readCompletion(response), response, dialect.name)
      return found.length > 0 ? [`${found.join(', ')}: ${exchange.url}`] : []
    })
    const read = answers.length - problems.length
    const share = ((100 * read) / answers.length).toFixed(1)
    console.log(
      `corpus: ${read} of ${answers.length} answers read (${share} %)\n  ${tally(problems, '\n  ')}`,
    )
    expect(answers.length).toBeGreaterThan(0.4 * corpus.length)
    expect(read / answers.length).toBeGreaterThanOrEqual(0.98)
  })

  test('reads every refusal of a real provider as an error', () => {
    const refused = corpus.filter(
      (exchange) =>
        exchange.status >= 400 && exchange.method === 'POST' && expectedDialect(exchange),
    )
    const silent = refused.filter((exchange) => {
      const { error, text } = dialectOf(requestOf(exchange)).readCompletion(responseOf(exchange))
      return !error || text !== ''
    })
    expect(refused.length).toBeGreaterThan(0.02 * corpus.length)
    expect(silent.map(({ url }) => url)).toEqual([])
  })

  test('reads every request and answer of the corpus without throwing', () => {
    for (const exchange of corpus) {
      const request = requestOf(exchange)
      const dialect = dialectOf(request)
      expect(dialect.readPrompt(request).provider).not.toBe('')
      expect(dialect.readCompletion(responseOf(exchange)).text).toBeTypeOf('string')
    }
  })
})

function isGeneration({ method, url, status, ...bodies }: CorpusExchange): boolean {
  const isAnswered = bodies.request_body !== null && bodies.response_body !== null
  const isRead = !BESIDE.test(url) && !AS_SENT.test(url)
  return method === 'POST' && status < 300 && isAnswered && isRead
}

function expectedDialect({ url }: CorpusExchange): string | undefined {
  const [path] = url.split(/[?#]/)
  return PATHS.find(([ending]) => ending.test(path!))?.[1]
}

function requestOf(exchange: CorpusExchange): WireRequest {
  const bytes = bytesOf(exchange.request_body, exchange.request_body_encoding)
  return { method: exchange.method, url: addressOf(exchange), body: readBody(bytes) }
}

function responseOf(exchange: CorpusExchange): WireResponse {
  const bytes = bytesOf(exchange.response_body, exchange.response_body_encoding)
  const type = exchange.response_headers?.['content-type'] ?? ''
  const isTwiceEncoded = type.includes('amazon.eventstream') && /^(?:base64:)?AAA/.test(`${bytes}`)
  const sent = isTwiceEncoded ? Buffer.from(`${bytes}`.replace('base64:', ''), 'base64') : bytes
  const body = readBody(sent, type)
  return { status: exchange.status, headers: { 'content-type': type }, body }
}

/** What is missing, unless the answer itself does not have it. */
function problemsOf(completion: Completion, response: WireResponse, dialect: string): string[] {
  const { text, reasoning, toolCalls, finishReasons, usage, error, incomplete } = completion
  const problems: string[] = []
  if (!text && !reasoning && toolCalls.length === 0 && !error && dialect !== 'replicate')
    problems.push('nothing read')
  if (finishReasons.length === 0 && !COUNTS.test(dialect)) problems.push('no finish reason')
  const counted = COUNTED.test(textOf(response.body)) && dialect !== 'cohere-rerank'
  if (counted && usage?.inputTokens === undefined) problems.push('no usage')
  if (CALLED.test(textOf(response.body)) && toolCalls.length === 0) problems.push('no tool call')
  if (incomplete) problems.push('incomplete')
  return problems
}

/** How often each of the texts occurs, most often first. */
function tally(texts: string[], separator: string = ', '): string {
  const counts = Map.groupBy(texts, (text) => text)
  return [...counts]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([text, { length }]) => `${length} × ${text}`)
    .join(separator)
}
