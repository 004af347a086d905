import type { ServerResponse } from 'node:http'
import { writeBody } from '../../src/wire/body.ts'
import { samples } from '../dialects/samples/index.ts'
import { streamedFormOf } from '../dialects/streamed-form.ts'
import { answer } from '../dialects/wire.ts'

/** Formats of which aimock knows nothing. */
const UNKNOWN = [
  'anthropic-complete',
  'cloudflare-run',
  'gemini-count-tokens',
  'hugging-face-text',
  'openai-completions',
]

/** Answers as the sample of a format does, whatever was asked; false for any other address. */
export function answerSample(path: string, body: string, response: ServerResponse): boolean {
  const sample = samples.find(
    ({ dialect, url }) => UNKNOWN.includes(dialect) && new URL(url).pathname === path.split('?')[0],
  )
  if (!sample) return false
  const isStreamed = sample.events && (JSON.parse(body) as { stream?: boolean }).stream
  const answered = isStreamed
    ? streamedFormOf(sample).streamed(...sample.events!)
    : answer(sample.plain)
  response.writeHead(answered.status, answered.headers)
  response.end(Buffer.concat(writeBody(answered.body)))
  return true
}
