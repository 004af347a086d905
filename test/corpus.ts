import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe } from 'vitest'
import { isAll } from './effort.ts'
import { CORPUS, needs } from './needs.ts'

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

/** Registers tests for an excerpt of the corpus and, where everything runs, for all of it. */
export function eachCorpus(tests: (corpus: CorpusExchange[]) => void): void {
  describe('an excerpt of the corpus', () =>
    tests(read(readFileSync(new URL('corpus/exchanges.jsonl', import.meta.url)))))
  if (!isAll) return
  const machine = needs('corpus')
  describe('the whole corpus', machine, () =>
    tests(machine.skip ? [] : read(gunzipSync(readFileSync(CORPUS)))),
  )
}

function read(lines: Buffer): CorpusExchange[] {
  return lines
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CorpusExchange)
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
