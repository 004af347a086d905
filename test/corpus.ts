import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

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

const path =
  process.env.VITEST_CASSETTE_CORPUS ??
  fileURLToPath(new URL('../../shared/corpus/exchanges.jsonl.gz', import.meta.url))

/** Reads the corpus; `undefined`, with a printed word, where it is absent. It is no part of this project. */
export function readCorpus(): CorpusExchange[] | undefined {
  if (!existsSync(path)) {
    console.log('The corpus of real exchanges is not here; its tests are skipped.')
    return undefined
  }
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
