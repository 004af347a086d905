import { WITHOUT_BODY } from '../../../cassette/patterns.ts'
import { asSentInUtf8, bytesOfText, fromBase64, fromHex } from '../bodies.ts'
import {
  Collector,
  headerIn,
  type HeldBody,
  type HeldResponse,
  foreignHeaders,
  readTime,
  withType,
} from '../collect.ts'
import type { ForeignExchange, ForeignFile, ForeignFormat, ForeignRecording } from '../foreign.ts'
import { harEntries } from '../har-entries.ts'
import { ForeignValue } from '../foreign-value.ts'

/** HAR 1.2 by whoever writes it: Polly keeps packed bodies, Playwright keeps bodies in files beside, people trim. */
export const har: ForeignFormat = {
  name: 'har',
  tools: 'Polly.JS, browsers, Playwright, proxies',
  hint: /"log"\s*:\s*\{/,

  recognise({ head, size }) {
    const begins = /^\s*\{\s*"log"\s*:\s*\{/.test(head)
    if (!begins && !(/^\s*\{/.test(head) && this.hint.test(head))) return false
    if (/"entries"\s*:\s*\[/.test(head) || (begins && size > head.length)) return true
    return begins && 'it has a log without entries'
  },

  *read(file, options) {
    const collector = new Collector(file, this.name, options)
    const ids = new WeakMap<ForeignExchange, Place>()
    const entries = harEntries(file, (read) => options.onProgress?.(file, read))
    let next = entries.next()
    for (; !next.done; next = entries.next()) {
      if (collector.isFull) yield inOrder(collector.take(), ids)
      const entry = next.value
      addEntry(entry, file, collector)
      const added = collector.recording.exchanges.at(-1)
      if (added && !ids.has(added))
        ids.set(added, {
          id: entry.at('_id').textIfAny(),
          order: entry.at('_order').numberIfAny() ?? 0,
        })
    }
    const name = next.value.at('_recordingName').textIfAny()
    const last = inOrder(collector.take(), ids)
    yield { ...last, name }
  },
}

/** Where Polly puts a request. */
interface Place {
  id?: string
  order: number
}

/** Polly counts the requests that are the same: those of one id are put into the order of their numbers. */
function inOrder(
  recording: ForeignRecording,
  ids: Pick<WeakMap<ForeignExchange, Place>, 'get'>,
): ForeignRecording {
  const groups = Map.groupBy(recording.exchanges, (one) => ids.get(one)?.id ?? one)
  for (const group of groups.values())
    group.sort((one, other) => ids.get(one)!.order - ids.get(other)!.order)
  const exchanges = recording.exchanges.map((one) => groups.get(ids.get(one)?.id ?? one)!.shift()!)
  return { ...recording, exchanges }
}

function addEntry(entry: ForeignValue, file: ForeignFile, collector: Collector): void {
  const request = entry.at('request')
  const url = request.at('url').text()
  if (isSocket(entry, url)) return collector.leaveOut('a WebSocket')
  const headers = foreignHeaders(request.at('headers'))
  const method = request.at('method').text()
  const durationMs = entry.at('time').numberIfAny()
  collector.add(
    {
      method,
      url,
      headers,
      body: requestBody(request, method, headers, file),
      place: request,
    },
    () => answerOf(entry.at('response'), file),
    {
      time: readTime(entry.at('startedDateTime')),
      durationMs: durationMs !== undefined && durationMs >= 0 ? durationMs : undefined,
    },
  )
}

function isSocket(entry: ForeignValue, url: string): boolean {
  return (
    /^wss?:/i.test(url) ||
    !entry.at('_webSocketMessages').isAbsent ||
    entry.at('_resourceType').value === 'websocket'
  )
}

/** Methods whose requests have a body, unless something says that there is none. */
const WITH_BODY = /^(?:POST|PUT|PATCH|QUERY)$/i

function requestBody(
  request: ForeignValue,
  method: string,
  headers: Array<[string, string]>,
  file: ForeignFile,
): HeldBody | undefined {
  const data = request.at('postData')
  if (!data.isAbsent) {
    const bytes = heldBytes(data, file) ?? asForm(data)
    if (bytes) return bytes
  }
  // Browsers and Playwright know no size of what they send from a form, and call it 0.
  const length = headerIn(headers, 'content-length')
  const size = length === '' ? (request.at('bodySize').numberIfAny() ?? -1) : Number(length)
  const hasNone = !WITH_BODY.test(method) && size <= 0 && data.isAbsent
  return size === 0 || hasNone ? { bytes: new Uint8Array() } : undefined
}

/** Firefox keeps the fields of a form in the place of the body. */
function asForm(data: ForeignValue): HeldBody | undefined {
  const params = data.at('params').items()
  const type = data.at('mimeType').textIfAny() ?? ''
  if (params.length === 0 || !type.startsWith('application/x-www-form-urlencoded')) return undefined
  const form = new URLSearchParams(
    params.map((param): [string, string] => [
      param.at('name').text(),
      param.at('value').textIfAny() ?? '',
    ]),
  )
  return { bytes: bytesOfText(form.toString()), isRespelled: true }
}

/**
 * The bytes of a `postData` or a `content`, in it or in the file that it names. An empty text stands for what was left
 * out as well: by Playwright beside the name of a file, or where nobody wanted bodies, by Firefox for what is too long.
 */
function heldBytes(held: ForeignValue, file: ForeignFile): HeldBody | undefined {
  const name = held.either('_file', '_sha1').textIfAny()
  if (name !== undefined) {
    const bytes = file.beside(name) ?? file.beside(`resources/${name}`)
    return bytes && { bytes }
  }
  const text = held.at('text')
  if (text.isAbsent || text.value === '') return undefined
  if (held.at('_isBinary').value === true) return { bytes: decodePolly(text, fromHex) }
  const encoding = held.at('encoding').textIfAny() ?? ''
  if (/^base64$/i.test(encoding)) return { bytes: decodePolly(text, fromBase64) }
  if (/^hex$/i.test(encoding)) return { bytes: decodePolly(text, fromHex) }
  return { bytes: bytesOfText(text.text()) }
}

/** Polly keeps the chunks of a body in a JSON list of texts, which are each encoded, or the whole as one such text. */
function decodePolly(
  place: ForeignValue,
  decode: (text: string, place: ForeignValue) => Uint8Array,
): Uint8Array {
  const text = place.text()
  if (!/^\s*\[/.test(text)) return decode(text, place)
  let chunks: unknown
  try {
    chunks = JSON.parse(text)
  } catch {
    throw place.wrong('a JSON list of encoded chunks')
  }
  const list = new ForeignValue(place.file, chunks, place.pointer)
  return Buffer.concat(list.items().map((chunk) => decode(chunk.text(), chunk)))
}

/**
 * Whether an answer without a text has no body. A browser that has dropped it says how large it was, and Playwright, of
 * which nobody wanted bodies, `-1`.
 */
function isWithoutBody(response: ForeignValue, content: ForeignValue): boolean {
  const size = content.at('size').numberIfAny() ?? 0
  const sent = response.at('bodySize').numberIfAny() ?? 0
  const length = headerIn(foreignHeaders(response.at('headers')), 'content-length')
  if (WITHOUT_BODY.includes(response.at('status').status()) || length === '0') return true
  return size === 0 && sent <= 0 && length === ''
}

function answerOf(response: ForeignValue, file: ForeignFile): HeldResponse | string {
  const status = response.at('status')
  if (response.isAbsent || status.isAbsent || status.number() <= 0)
    return 'a request without an answer'
  if (status.number() === 101) return 'a WebSocket'
  const content = response.at('content')
  const named = content.either('_file', '_sha1')
  const held = content.isAbsent ? undefined : heldBytes(content, file)?.bytes
  const headers = withType(
    foreignHeaders(response.at('headers')),
    content.at('mimeType').textIfAny(),
  )
  const isBare = /^text\/(?!.*charset)/i.test(headerIn(headers, 'content-type'))
  const bytes = held && isBare ? asSentInUtf8(held) : held
  if (!bytes && !named.isAbsent) return 'an answer whose body is in a file that is not there'
  if (!bytes && !isWithoutBody(response, content))
    return 'an answer whose body the file does not hold'
  return {
    status: status.status(),
    headers,
    body: bytes ?? new Uint8Array(),
    place: content,
  }
}
