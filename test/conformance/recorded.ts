import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { isRecorded } from '../../src/cassette/cassette.ts'
import { parseStored } from '../../src/cassette/reader.ts'
import { textOf } from '../../src/wire/body.ts'
import type { Ask } from './case.ts'
import type { MadeUp, Meant } from './make-case.ts'

const RECORDINGS = join(import.meta.dirname, '../../__recordings__')
const FOLDER = join(RECORDINGS, 'test/recordings/format-2.0.test.ts')

/** The recordings that are cases too: one of each provider and kind of answer. */
const NAMES = [
  'anthropic-messages-picture',
  'anthropic-messages-stream',
  'anthropic-messages-tools',
  'bedrock-agent',
  'bedrock-converse-stream',
  'bedrock-invoke-stream',
  'cohere-chat-stream',
  'gemini-generate-stream',
  'gemini-generate-tools',
  'generic-binary',
  'generic-picture',
  'hugging-face-text-stream',
  'mistral-conversations-stream',
  'ollama-chat-stream',
  'openai-chat-plain',
  'openai-chat-stream',
  'openai-chat-tools',
  'openai-embeddings',
  'openai-responses-stream',
  'replicate',
  'watsonx-stream',
]

/** Recordings of the providers, each with the requests that were recorded: those that are cases, or others. */
export function recordedCases(isCase: boolean = true): Record<string, MadeUp> {
  const files = readdirSync(FOLDER)
  return Object.fromEntries(
    files.flatMap((file) => {
      const name = file.replace(/-[0-9a-f]{10}\.json$/, '')
      if (NAMES.includes(name) !== isCase) return []
      return [[`recorded-${name}`, caseOf(readFileSync(join(FOLDER, file), 'utf8'), name)]]
    }),
  )
}

function caseOf(text: string, name: string): MadeUp {
  const cassette = parseStored(text)
  const blobs: Record<string, string> = {}
  const { exchanges } = decodeCassette(cassette, (blob) => {
    const bytes = readFileSync(join(RECORDINGS, 'blobs', blob))
    blobs[blob] = bytes.toString('base64')
    return bytes
  })
  const requests = exchanges.filter(isRecorded).map(({ id, wire }): [Ask, Meant] => {
    const { method, url, headers, body, after } = wire.request
    const place = exchanges.findIndex((one) => one.id === after)
    const before = after === undefined ? {} : { after: place }
    return [{ method, url, ...(headers ? { headers } : {}), body: textOf(body), ...before }, id]
  })
  const hasBlobs = Object.keys(blobs).length > 0
  return { shows: `The recording ${name}.`, cassette, ...(hasBlobs ? { blobs } : {}), requests }
}
