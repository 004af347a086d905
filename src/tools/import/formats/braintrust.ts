import { bytesOfJson, bytesOfText, fromBase64 } from '../bodies.ts'
import {
  Collector,
  type HeldBody,
  type HeldResponse,
  foreignHeaders,
  readTime,
} from '../collect.ts'
import type { ForeignFile, ForeignFormat } from '../foreign.ts'
import { firstOf, hasFields, jsonIn } from '../look.ts'
import { ForeignValue } from '../foreign-value.ts'

/** Braintrust's cassettes, written by seinfeld: JSON has its keys sorted, streams are lists of events. */
export const braintrust: ForeignFormat = {
  name: 'braintrust',
  tools: "Braintrust's seinfeld",
  hint: /"matchKey"\s*:|"callIndex"\s*:/,

  recognise(file) {
    const data = jsonIn(file)
    if (!hasFields(data) || !Array.isArray(data.entries)) return false
    const first = firstOf(data.entries)
    if (!first) return hasFields(data.meta) && data.meta.createdAt !== undefined
    if (!hasFields(first.request) || !hasFields(first.response)) return false
    if (first.matchKey !== undefined || first.callIndex !== undefined) return true
    return 'its first entry has no matchKey and callIndex'
  },

  read(file, options) {
    const collector = new Collector(file, this.name, options)
    const entries = new ForeignValue(file.name, file.json()).at('entries').items()
    for (const entry of entries) addEntry(entry, file, collector)
    return [collector.recording]
  },
}

function addEntry(entry: ForeignValue, file: ForeignFile, collector: Collector): void {
  const request = entry.at('request')
  const body = bodyOf(request.at('body'), file)
  if (body === 'missing') collector.leaveOut('the body of a request, in a file that is not there')
  collector.add(
    {
      method: request.at('method').text(),
      url: request.at('url').text(),
      headers: foreignHeaders(request.at('headers')),
      body: body === 'missing' ? undefined : body,
      place: request,
    },
    () => answerOf(entry.at('response'), file),
    { time: readTime(entry.at('recordedAt')) },
  )
}

function answerOf(response: ForeignValue, file: ForeignFile): HeldResponse | string {
  const body = bodyOf(response.at('body'), file)
  if (body === 'missing') return 'an answer whose body is in a file that is not there'
  return {
    status: response.at('status').status(),
    headers: foreignHeaders(response.at('headers')),
    body: body?.bytes ?? new Uint8Array(),
    place: response,
  }
}

/** How each kind of body is read. */
const KINDS: Record<string, (body: ForeignValue, file: ForeignFile) => HeldBody | 'missing'> = {
  empty: () => ({ bytes: new Uint8Array() }),
  json: (body) => ({ bytes: bytesOfJson(body.at('value').value ?? null), isRespelled: true }),
  text: (body) => ({ bytes: bytesOfText(body.at('value').text()) }),
  base64: (body) => ({ bytes: fromBase64(body.at('value').text(), body.at('value')) }),
  // The chunks are events, without the blank line at their end.
  sse: (body) => ({
    bytes: bytesOfText(
      body
        .at('chunks')
        .items()
        .map((chunk) => `${chunk.text()}\n\n`)
        .join(''),
    ),
  }),
  binary: (body, file) => {
    const bytes = file.beside(body.at('path').text())
    return bytes ? { bytes } : 'missing'
  },
}

function bodyOf(body: ForeignValue, file: ForeignFile): HeldBody | 'missing' | undefined {
  if (body.isAbsent) return undefined
  const kind = body.at('kind')
  const read = Object.hasOwn(KINDS, kind.text()) ? KINDS[kind.text()] : undefined
  if (!read) throw kind.wrong(`one of ${Object.keys(KINDS).join(', ')}`)
  return read(body, file)
}
