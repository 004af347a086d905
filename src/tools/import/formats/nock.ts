import { bytesOfJson, bytesOfText, fromHex, isHex } from '../bodies.ts'
import {
  Collector,
  type HeldBody,
  type HeldResponse,
  foreignHeaders,
  withType,
} from '../collect.ts'
import type { ForeignFormat } from '../foreign.ts'
import { firstOf, jsonIn } from '../look.ts'
import { ForeignValue } from '../foreign-value.ts'
import { readUtf8 } from '../../../wire/utf8.ts'

/** The objects of nock's recorder (`output_objects: true`), which nock.back writes too. */
export const nock: ForeignFormat = {
  name: 'nock',
  tools: 'nock, nock.back',
  hint: /"scope"\s*:|\bnock\(['"]https?:/,

  recognise(file) {
    if (/^\s*nock\(['"]https?:/m.test(file.head))
      return 'it is code that nock has recorded, not data: record with output_objects: true'
    const first = firstOf(jsonIn(file))
    if (first?.scope === undefined) return false
    const isAnswered = STATUS.concat('response').some((name) => first[name] !== undefined)
    if (first.path !== undefined && isAnswered) return true
    return 'its first object has a scope, and no path and answer'
  },

  read(file, options) {
    const collector = new Collector(file, this.name, options)
    for (const recorded of new ForeignValue(file.name, file.json()).items()) {
      collector.add(
        {
          method: recorded.at('method').textIfAny() ?? 'GET',
          url: addressOf(recorded),
          headers: foreignHeaders(recorded.at('reqheaders')),
          // What people write for any body, with a filter.
          body: recorded.at('body').value === '*' ? undefined : bodyOf(recorded, 'body'),
          place: recorded.at('body'),
        },
        () => answerOf(recorded),
      )
    }
    return [collector.recording]
  },
}

/** The scope has the port, which an address leaves out where it is the usual one; the path stays as it is spelled. */
function addressOf(recorded: ForeignValue): string {
  const scope = recorded.at('scope')
  if (!URL.canParse(scope.text())) throw scope.wrong('an address')
  const url = new URL(scope.text())
  const port = recorded.at('port').numberIfAny()
  if (port !== undefined) url.port = String(port)
  return url.origin + recorded.at('path').text()
}

/** Where the status stands; older releases wrote it as a text, as `reply`. Without one, nock answers 200. */
const STATUS = ['status', 'reply']

function answerOf(recorded: ForeignValue): HeldResponse | string {
  const status = recorded.either(...STATUS)
  const body = bodyOf(recorded, 'response')
  if (status.isAbsent && !body) return 'a request without an answer'
  return {
    status: status.isAbsent ? 200 : status.status(),
    headers: withType(
      foreignHeaders(recorded.either('rawHeaders', 'headers')),
      // nock says so of each answer that it is given as data.
      body?.isRespelled ? 'application/json' : undefined,
    ),
    body: body?.bytes ?? new Uint8Array(),
    place: recorded.at('response'),
  }
}

/** A body: JSON as its value, text, hexadecimal digits for bytes, or a list of these for packed chunks. */
function bodyOf(recorded: ForeignValue, field: 'body' | 'response'): HeldBody | undefined {
  // A body can be the JSON `null`, which is not the same as none.
  if (!(field in recorded.object())) return undefined
  const body = recorded.at(field)
  const { value } = body
  if (typeof value === 'string') {
    const isBinary = field === 'response' && recorded.at('responseIsBinary').value === true
    if (isBinary) return { bytes: fromHex(value, body) }
    return { bytes: isHexOfBytes(value) ? fromHex(value, body) : bytesOfText(value) }
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isHexChunk))
    return { bytes: Buffer.concat(value.map((chunk: string) => fromHex(chunk, body))) }
  return { bytes: bytesOfJson(value ?? null), isRespelled: true }
}

/** nock writes digits for what is no UTF-8, and does not say so of requests. */
function isHexOfBytes(text: string): boolean {
  return text.length >= 8 && isHex(text) && readUtf8(Buffer.from(text, 'hex')) === undefined
}

function isHexChunk(chunk: unknown): chunk is string {
  return typeof chunk === 'string' && chunk.length > 0 && isHex(chunk)
}
