import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { dialectOf } from '../../src/dialects/index.ts'
import type { Completion } from '../../src/prompt/completion.ts'
import { readBody, textOf } from '../../src/wire/body.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'

/** A row of the corpus, as far as it is used here. */
interface Row {
  source_path: string
  method: string
  url: string
  request_body: string | null
  request_body_encoding: string | null
  status: number
  response_headers: Record<string, string>
  response_body: string | null
  response_body_encoding: string | null
}

const PATHS: [ending: RegExp, dialect: string][] = [
  [/\/chat\/completions$/, 'openai-chat'],
  [/\/responses$/, 'openai-responses'],
  [/\/embeddings$/, 'openai-embeddings'],
  [/\/messages$/, 'anthropic-messages'],
  [/\/converse(?:-stream)?$/, 'bedrock-converse'],
  [/\/invoke(?:-with-response-stream)?$/, 'bedrock-invoke'],
]

const corpus =
  process.env.VITEST_CASSETTE_CORPUS ??
  resolve(import.meta.dirname, '../../../shared/corpus/exchanges.jsonl.gz')
const present = existsSync(corpus)
if (!present) console.log(`The corpus test is skipped: there is no ${corpus}.`)

test.skipIf(!present)('reads what real providers answered', () => {
  const rows = readRows().filter((row) => row.method === 'POST' && expectedDialect(row))
  const problems: string[] = []
  let answers = 0
  for (const row of rows) {
    const request = requestOf(row)
    if (row.request_body === null || row.response_body === null || row.status >= 300) continue
    answers++
    const dialect = dialectOf(request)
    const response = responseOf(row)
    const found =
      dialect.name === expectedDialect(row)
        ? problemsOf(dialect.readCompletion(response), response, dialect.name)
        : [`read as ${dialect.name}`]
    if (found.length > 0) problems.push(`${found.join(', ')}: ${row.source_path}`)
  }
  const read = answers - problems.length
  console.log(`corpus: ${read} of ${answers} answers read\n  ${problems.join('\n  ')}`)
  expect(answers).toBeGreaterThan(600)
  expect(read / answers).toBeGreaterThanOrEqual(0.98)
})

test.skipIf(!present)('reads every refusal of a real provider as an error', () => {
  const rows = readRows().filter((row) => row.method === 'POST' && expectedDialect(row))
  const refused = rows.filter((row) => row.status >= 400)
  const silent = refused.filter((row) => {
    const { error, text } = dialectOf(requestOf(row)).readCompletion(responseOf(row))
    return !error || text !== ''
  })
  expect(refused.length).toBeGreaterThan(0)
  expect(silent.map((row) => row.source_path)).toEqual([])
})

test.skipIf(!present)('reads every request and answer of the corpus without throwing', () => {
  const rows = readRows()
  for (const row of rows) {
    const request = requestOf(row)
    const dialect = dialectOf(request)
    expect(dialect.readPrompt(request).provider).not.toBe('')
    expect(dialect.readCompletion(responseOf(row)).text).toBeTypeOf('string')
  }
})

function readRows(): Row[] {
  const text = gunzipSync(readFileSync(corpus)).toString()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

function expectedDialect(row: Row): string | undefined {
  const [path] = row.url.split('?')
  return PATHS.find(([ending]) => ending.test(path!))?.[1]
}

function requestOf(row: Row): WireRequest {
  const url = row.url.replaceAll(/<[^>]*>/g, 'placeholder')
  const bytes = bytesOf(row.request_body, row.request_body_encoding)
  return {
    method: row.method,
    url: new URL(url, 'https://placeholder.example').href,
    body: readBody(bytes),
  }
}

function responseOf(row: Row): WireResponse {
  const type = row.response_headers?.['content-type'] ?? ''
  // Two recorders wrote binary streams down as base64, which is not what was sent.
  const [, base64] = /^(?:base64:)?(AAA[\w+/]+=*)$/.exec(row.response_body ?? '') ?? []
  const bytes = base64
    ? Buffer.from(base64, 'base64')
    : bytesOf(row.response_body, row.response_body_encoding)
  return { status: row.status, headers: { 'content-type': type }, body: readBody(bytes, type) }
}

function bytesOf(text: string | null, encoding: string | null): Uint8Array {
  return Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8')
}

/** What is missing, unless the answer itself does not have it. */
function problemsOf(completion: Completion, response: WireResponse, dialect: string): string[] {
  const { text, reasoning, toolCalls, finishReasons, usage, error, incomplete } = completion
  const problems: string[] = []
  if (!text && !reasoning && toolCalls.length === 0 && !error) problems.push('nothing read')
  if (finishReasons.length === 0 && dialect !== 'openai-embeddings')
    problems.push('no finish reason')
  const counted = /"usage":\s*\{\s*"/.test(textOf(response.body))
  if (counted && usage?.inputTokens === undefined) problems.push('no usage')
  if (incomplete) problems.push('incomplete')
  return problems
}
