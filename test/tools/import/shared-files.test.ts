import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { ForeignExchange, ForeignRecording } from '../../../src/tools/import/foreign.ts'
import { readWhole, received, sent } from './foreign-folder.ts'

/** Real files of other tools, with what is known of them. They are no part of this project. */
const SHARED = fileURLToPath(new URL('../../../../shared/foreign', import.meta.url))
const isThere = existsSync(SHARED)

/** The folders of files, and the format of what is in them. */
const FOLDERS: Record<string, string> = {
  aimock: 'aimock',
  braintrust: 'braintrust',
  'braintrust-seinfeld': 'braintrust',
  'copilot-snapshots': 'copilot',
  'ddapm-cassettes': 'vcr',
  'gemini-cli-responses': 'answers',
  'go-vcr': 'vcr',
  har: 'har',
  'har-playwright-notllm': 'har',
  'har-polly': 'har',
  mastra: 'mastra',
  nock: 'nock',
  'nock-back-openai': 'nock',
  'oi-anthropic-body-only': 'answers',
  'ruby-vcr': 'vcr',
  'vcr-ruby': 'vcr',
  vcrpy: 'vcr',
  'vcrpy-pydantic': 'vcr',
  'vercel-fixtures': 'answers',
}

/** A line of a list of files. */
interface Known {
  file: string
  provider: string
  streamed: string
  exchanges: string
  'request body present': string
}

function knownIn(folder: string): Known[] {
  const list = join(SHARED, folder, 'SOURCES.tsv')
  if (!existsSync(list)) return []
  const [head, ...lines] = readFileSync(list, 'utf8').trimEnd().split('\n')
  const names = head!.split('\t')
  return lines
    .map((line) => Object.fromEntries(line.split('\t').map((field, at) => [names[at]!, field])))
    .map((fields) => fields as unknown as Known)
    .filter(({ file }) => existsSync(join(SHARED, folder, file)))
}

const FOLDERS_THERE = isThere
  ? Object.keys(FOLDERS).filter((name) => existsSync(join(SHARED, name)))
  : []

const NOT_OVER_HTTP = /gRPC|Claude Agent SDK/

test.skipIf(!isThere).for(FOLDERS_THERE)(
  'every real file in %s is read, or is not HTTP',
  (folder) => {
    const { recordings, unread } = readWhole([folder], { cwd: SHARED })
    const others = unread.filter(
      ({ reason, file }) => !NOT_OVER_HTTP.test(reason) && !file.endsWith('.tsv'),
    )
    expect(others).toEqual([])
    expect(new Set(recordings.map(({ format }) => format))).toEqual(new Set([FOLDERS[folder]]))
  },
)

const HOSTS: Record<string, RegExp> = {
  openai: /^https:\/\/api\.openai\.com\//,
  anthropic: /^https:\/\/api\.anthropic\.com\//,
  bedrock: /^https:\/\/bedrock-[\w-]+\.[\w<>-]+\.amazonaws\.com\//,
  gemini: /^https:\/\/generativelanguage\.googleapis\.com\//,
  azure: /\.azure\.com\//,
  cohere: /cohere/,
}

/** Where the lists say what the files do not hold, or hold otherwise. */
const OTHERWISE: Record<string, Partial<Known>> = {
  // A video, sent as a whole.
  'download-octet-stream.yaml': { streamed: 'no' },
}

const LISTED = FOLDERS_THERE.flatMap((folder) =>
  knownIn(folder)
    .filter(({ file }) => !file.includes('.blobs/'))
    .map((known) => ({
      name: `${folder}/${known.file}`,
      known: { ...known, ...OTHERWISE[known.file] },
    })),
)

/** What is left out of a file and would be an exchange. */
const WHOLE = /^(?:an answer whose|a request without|a call of|a WebSocket)/

function countOf({ exchanges, leftOut }: ForeignRecording): number {
  const others = [...leftOut].filter(([what]) => WHOLE.test(what))
  return exchanges.length + others.reduce((sum, [, count]) => sum + count, 0)
}

function isStream({ response }: ForeignExchange): boolean {
  return Array.isArray(response.body)
}

test.skipIf(!isThere).for(LISTED)('$name holds what is known of it', ({ name, known }) => {
  const { recordings } = readWhole([name], { cwd: SHARED })
  const { exchanges } = recordings[0]!
  const conversations = known.exchanges.endsWith(' conversations')
  if (conversations)
    expect(exchanges.length).toBeGreaterThanOrEqual(Number.parseInt(known.exchanges, 10))
  else expect(countOf(recordings[0]!)).toBe(Number(known.exchanges))

  const streams = exchanges.filter(isStream).length
  if (known.streamed === 'yes') expect(streams).toBe(exchanges.length)
  if (known.streamed === 'no') expect(streams).toBe(0)

  const bodies = exchanges.map(sent)
  const dangling =
    recordings[0]!.leftOut.get('the body of a request, in a file that is not there') ?? 0
  const body = known['request body present']
  if (body === 'yes') expect(bodies.filter((text) => !text)).toHaveLength(dangling)
  if (body === 'no') expect(bodies).toEqual(bodies.map(() => ''))
  if (body.startsWith('NO')) expect(bodies).toEqual(bodies.map(() => undefined))

  const host = HOSTS[known.provider]
  for (const { request } of exchanges) if (host && request.url) expect(request.url).toMatch(host)
  // What is packed still, or whose text is broken, is no answer of a model.
  for (const exchange of exchanges)
    if (/json/.test(contentTypeOf(exchange)) && !isStream(exchange))
      expect(() => JSON.parse(received(exchange)) as unknown).not.toThrow()
})

function contentTypeOf({ response }: ForeignExchange): string {
  return response.headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? ''
}

test.skipIf(!isThere)(
  'answers that say they are JSON are, in all real files, which lie beside this repository',
  () => {
    const { recordings } = readWhole(FOLDERS_THERE, { cwd: SHARED })
    const exchanges = recordings.flatMap((one) => one.exchanges)
    expect(exchanges.length).toBeGreaterThan(400)
    for (const exchange of exchanges)
      if (/json/.test(contentTypeOf(exchange)) && !isStream(exchange) && received(exchange) !== '')
        expect(() => JSON.parse(received(exchange)) as unknown).not.toThrow()
  },
)
