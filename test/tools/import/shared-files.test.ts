import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ForeignExchange, ForeignRecording } from '../../../src/tools/import/foreign.ts'
import { needs, FOREIGN } from '../../needs.ts'
import { readWhole, received, sent } from './foreign-folder.ts'
import { leftOutAs } from './left-out.ts'
import { FOLDERS } from './shared-folders.ts'

/** A line of a list of files. */
interface Known {
  file: string
  provider: string
  streamed: string
  exchanges: string
  'request body present': string
}

function knownIn(folder: string): Known[] {
  const list = join(FOREIGN, folder, 'SOURCES.tsv')
  if (!existsSync(list)) return []
  const [head, ...lines] = readFileSync(list, 'utf8').trimEnd().split('\n')
  const names = head!.split('\t')
  return lines
    .map((line) => Object.fromEntries(line.split('\t').map((field, at) => [names[at]!, field])))
    .map((fields) => fields as unknown as Known)
    .filter(({ file }) => existsSync(join(FOREIGN, folder, file)))
}

const NOT_OVER_HTTP = /gRPC|Claude Agent SDK/

test.for(Object.keys(FOLDERS))(
  'every real file in %s is read, or is not HTTP',
  needs('shared'),
  (folder) => {
    const { recordings, unread } = readWhole([folder], { cwd: FOREIGN })
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

const LISTED = Object.keys(FOLDERS).flatMap((folder) =>
  knownIn(folder)
    .filter(({ file }) => !file.includes('.blobs/'))
    .map((known) => ({
      name: `${folder}/${known.file}`,
      known: { ...known, ...OTHERWISE[known.file] },
    })),
)

/** What is left out of a file and would be an exchange. */
const WHOLE = ['unheld body', 'body in no file', 'no answer', 'a WebSocket', 'WebRTC'] as const

function countOf({ exchanges, leftOut }: ForeignRecording): number {
  const others = WHOLE.map((what) => leftOut.get(leftOutAs(what)) ?? 0)
  return others.reduce((sum, count) => sum + count, exchanges.length)
}

function isStream({ response }: ForeignExchange): boolean {
  return Array.isArray(response.body)
}

test.for(LISTED)('$name holds what is known of it', needs('shared'), ({ name, known }) => {
  const { recordings } = readWhole([name], { cwd: FOREIGN })
  const { exchanges } = recordings[0]!
  const conversations = known.exchanges.endsWith(' conversations')
  if (conversations)
    expect(exchanges.length).toBeGreaterThanOrEqual(Number.parseInt(known.exchanges, 10))
  else expect(countOf(recordings[0]!)).toBe(Number(known.exchanges))

  const streams = exchanges.filter(isStream).length
  if (known.streamed === 'yes') expect(streams).toBe(exchanges.length)
  if (known.streamed === 'no') expect(streams).toBe(0)

  const bodies = exchanges.map(sent)
  const dangling = recordings[0]!.leftOut.get(leftOutAs('request body in no file')) ?? 0
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

test('answers that say they are JSON are, in all real files', needs('shared'), () => {
  const { recordings } = readWhole(Object.keys(FOLDERS), { cwd: FOREIGN })
  const exchanges = recordings.flatMap((one) => one.exchanges)
  expect(exchanges.length).toBeGreaterThan(400)
  for (const exchange of exchanges)
    if (/json/.test(contentTypeOf(exchange)) && !isStream(exchange) && received(exchange) !== '')
      expect(() => JSON.parse(received(exchange)) as unknown).not.toThrow()
})
