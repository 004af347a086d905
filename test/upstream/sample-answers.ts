import type { ServerResponse } from 'node:http'
import { writeBody } from '../../src/wire/body.ts'
import { samples, unreadSamples } from '../providers/samples/index.ts'
import { streamedFormOf } from '../providers/streamed-form.ts'
import { answer } from '../providers/wire.ts'

/** Formats of which aimock knows nothing. */
const UNKNOWN = [
  'anthropic-complete',
  'cloudflare-run',
  'gemini-count-tokens',
  'openai-completions',
  'openai-realtime-session',
]

/** Answers as the sample of a format does, whatever was asked; false for any other address. */
export function answerSample(path: string, body: string, response: ServerResponse): boolean {
  const known = samples.filter(({ dialect }) => UNKNOWN.includes(dialect))
  const sample = [...known, ...unreadSamples].find(({ url, unstreamed }) =>
    [url, unstreamed?.url ?? url].some((one) => new URL(one).pathname === path.split('?')[0]),
  )
  if (!sample) return false
  // Some are told by the address to stream.
  const streams = sample.frames || (sample.unstreamed?.url && /stream/.test(path))
  const isStreamed = sample.events && (streams || (JSON.parse(body) as { stream?: boolean }).stream)
  const answered = isStreamed
    ? streamedFormOf(sample).streamed(...sample.events!)
    : answer(sample.plain)
  response.writeHead(answered.status, answered.headers)
  response.end(Buffer.concat(writeBody(answered.body)))
  return true
}
