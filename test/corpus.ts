import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { corpusExcerpt } from './corpus-excerpt.ts'
import { isAll } from './effort.ts'

/** A real exchange, as the corpus of recordings keeps it. */
export interface CorpusExchange {
  provider: string
  method: string
  url: string
  request_body: string | null
  request_body_encoding: 'utf8' | 'base64' | null
  status: number
  response_headers: Record<string, string> | null
  response_body: string | null
  response_body_encoding: 'utf8' | 'base64' | null
  streaming: boolean
}

const named = process.env.VITEST_CASSETTE_CORPUS
const path =
  named ?? fileURLToPath(new URL('../../shared/corpus/exchanges.jsonl.gz', import.meta.url))

/** Reads the corpus where it is named, or where it is and everything runs; otherwise its excerpt. It is no part of this project. */
export function readCorpus(): CorpusExchange[] {
  if (named === undefined && !(isAll && existsSync(path))) return corpusExcerpt()
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n')
  return lines.map((line) => JSON.parse(line) as CorpusExchange)
}

/** The bytes of a body of the corpus. */
export function bytesOf(body: string | null, encoding: 'utf8' | 'base64' | null): Buffer {
  return Buffer.from(body ?? '', encoding ?? 'utf8')
}

/** The address of an exchange, made whole where the corpus keeps only a part of it. */
export function addressOf({ url }: CorpusExchange): string {
  // Placeholders stand for hosts, ports and account names.
  const address = url
    .replace(/^<\w+>/, '')
    .replace(/:<\w+>/, '')
    .replace(/<(\w+)>/g, (_, name: string) => name.toLowerCase().replaceAll('_', '-'))
  return address.startsWith('/') ? `https://llm.example.com${address}` : address
}
