import { bytesOfText, fromBase64 } from '../bodies.ts'
import { Collector, headerIn, type HeldBody, foreignHeaders, readTime } from '../collect.ts'
import type { ForeignFormat } from '../foreign.ts'
import { firstOf, hasFields, jsonIn } from '../look.ts'
import { ForeignValue } from '../foreign-value.ts'

/** undici's SnapshotAgent: each request once, with all of its answers in order. */
export const undici: ForeignFormat = {
  name: 'undici',
  tools: "undici's SnapshotAgent",
  hint: /"snapshot"\s*:\s*\{|"callCount"\s*:/,

  recognise(file) {
    const data = jsonIn(file)
    if (Array.isArray(data)) {
      const first = firstOf(data)
      if (first?.snapshot === undefined) return false
      return isSnapshot(first.snapshot) || 'its first snapshot has no request and responses'
    }
    // Before its files were lists, they were objects by hash.
    return hasFields(data) && isSnapshot(Object.values(data)[0])
  },

  read(file, options) {
    const collector = new Collector(file, this.name, options)
    const data = new ForeignValue(file.name, file.json())
    const snapshots = data.isList
      ? data.items().map((item) => item.at('snapshot'))
      : data.fields().map(([, snapshot]) => snapshot)
    for (const snapshot of snapshots) addSnapshot(snapshot, collector)
    return [collector.recording]
  },
}

function isSnapshot(value: unknown): boolean {
  return (
    hasFields(value) &&
    hasFields(value.request) &&
    (Array.isArray(value.responses) || hasFields(value.response))
  )
}

function addSnapshot(snapshot: ForeignValue, collector: Collector): void {
  const request = snapshot.at('request')
  const method = request.at('method').textIfAny() ?? 'GET'
  const headers = foreignHeaders(request.at('headers'))
  const alone = snapshot.at('response')
  const responses = alone.isAbsent ? snapshot.at('responses').items() : [alone]
  for (const response of responses)
    collector.add(
      {
        method,
        url: request.at('url').text(),
        headers,
        body: bodyOf(request.at('body'), method, headers),
        place: request,
      },
      () => ({
        status: response.either('statusCode', 'status').status(),
        headers: foreignHeaders(response.at('headers')),
        body: fromBase64(response.at('body').textIfAny() ?? '', response.at('body')),
        place: response,
      }),
      { time: readTime(snapshot.at('timestamp')) },
    )
}

/** What `String()` makes of a body that is no text and no buffer, as those of fetch are. */
const SPELLED_OBJECT = /^\[object \w+\]$/

/** What it makes of bytes, if there are as many of them as the header says. */
const SPELLED_BYTES = /^\d{1,3}(?:,\d{1,3})*$/

function bodyOf(
  body: ForeignValue,
  method: string,
  headers: Array<[string, string]>,
): HeldBody | undefined {
  const text = body.textIfAny() ?? ''
  if (SPELLED_OBJECT.test(text)) return undefined
  const length = headerIn(headers, 'content-length')
  const bytes = SPELLED_BYTES.test(text) ? text.split(',').map(Number) : []
  if (bytes.length > 0 && bytes.length === Number(length)) return { bytes: Uint8Array.from(bytes) }
  if (text !== '') return { bytes: bytesOfText(text) }
  // With `matchBody: false`, it writes an empty text for all.
  const hasNone = length === '' ? !/^(?:POST|PUT|PATCH)$/i.test(method) : length === '0'
  return hasNone ? { bytes: new Uint8Array() } : undefined
}
