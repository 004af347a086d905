import type { JsonValue } from '../../json/json-value.ts'
import { sameText } from '../../json/walk.ts'
import { textOf, writeBody, type Body } from '../../wire/body.ts'
import { isRecorded, type Cassette, type Exchange, type RecordedExchange } from '../cassette.ts'
import { decodeCassette } from '../decode.ts'
import { encodeCassette, type EncodedCassette } from '../encode.ts'
import { CassetteError } from '../../errors.ts'
import { printSealed } from '../format.ts'
import { parseStored } from '../reader.ts'

/** A cassette as its file will say it. */
export interface ReadableFile extends EncodedCassette {
  text: string
  /** The exchanges whose bodies it holds as raw text or bytes. */
  raw: readonly RawExchange[]
}

/** An exchange that was read back other than it was: a fault of this package, and never of a provider or a test. */
export interface RawExchange {
  id: string
  why: string
}

/**
 * Encodes a cassette, and reads it back before it counts. A body that the reader does not give back byte for byte is
 * stored as text, and a summary that it refuses is left out: both are made of the bytes, which a replay sends.
 *
 * @throws CassetteError `internal` where no form of it can be read back
 */
export function encodeReadably(cassette: Cassette, schemaPath: string): ReadableFile {
  const file = printed(cassette, schemaPath)
  if (whyUnreadable(file, cassette) === undefined) return file
  // Each on its own: the others stay as readable as they are.
  const reasons = cassette.exchanges.map((one) => {
    const alone = { ...cassette, exchanges: [one] }
    return whyUnreadable(printed(alone, schemaPath), alone)
  })
  let reason = whyUnreadable(file, cassette)
  for (const whyRaw of [reasons, reasons.map((why) => why ?? reason)]) {
    const exchanges = cassette.exchanges.map((one, at) =>
      whyRaw[at] === undefined ? one : plainly(one),
    )
    const plain = { ...cassette, exchanges }
    const file = printed(plain, schemaPath)
    // A summary that differs even so costs nobody what was paid for.
    reason = whyUnreadable(file, plain, false)
    const raw = exchanges.flatMap(({ id }, at) => {
      const why = whyRaw[at]
      return why === undefined ? [] : { id, why }
    })
    if (reason === undefined) return { ...file, raw }
  }
  throw new CassetteError(
    'internal',
    `the recording cannot be read back (${reason}), so it does not replace the cassette`,
  )
}

function printed(cassette: Cassette, schemaPath: string): ReadableFile {
  const encoded = encodeCassette(cassette, schemaPath)
  return { ...encoded, text: printSealed(encoded.stored), raw: [] }
}

/**
 * Why a file does not give back what was given to it; `undefined` where it does.
 *
 * @param tellsAll whether what people read counts too, beside what is compared and what a replay sends
 */
function whyUnreadable(
  { text, blobs }: Pick<ReadableFile, 'text' | 'blobs'>,
  cassette: Cassette,
  tellsAll: boolean = true,
): string | undefined {
  try {
    const read = decodeCassette(parseStored(text)!, (name) => blobs.get(name)!)
    const at = cassette.exchanges.findIndex(
      (one, at) => !isSame(one, read.exchanges[at]!, tellsAll),
    )
    return at < 0 ? undefined : 'it differs from what was recorded'
  } catch (error) {
    return (error as Error).message
  }
}

function isSame(one: Exchange, other: Exchange, tellsAll: boolean): boolean {
  if (!isRecorded(one)) return true
  if (!isRecorded(other)) return false
  const [{ response }, read] = [one, other.response]
  const isReadAlike =
    one.sample === other.sample &&
    one.part === other.part &&
    one.prompt.text === other.prompt.text &&
    response.text === read.text &&
    response.reasoning === read.reasoning &&
    response.kept === read.kept &&
    response.mocked === read.mocked
  return (
    (isReadAlike || !tellsAll) &&
    isSameHead(one.wire.request, other.wire.request) &&
    isSameHead(one.wire.response, other.wire.response) &&
    isSameBody(one.wire.request.body, other.wire.request.body) &&
    isSameBody(one.wire.response.body, other.wire.response.body)
  )
}

/** Whether two messages are the same but for their bodies. */
function isSameHead(one: object, other: object): boolean {
  const [read, others] = [one, other] as Array<Record<string, JsonValue | undefined>>
  return Object.keys({ ...read, ...others }).every(
    (name) => name === 'body' || sameText(read![name] ?? null, others![name] ?? null),
  )
}

/** Compares bytes. Equal JSON values need no serialization to be compared. */
function isSameBody(one: Body, other: Body): boolean {
  if (one.kind !== 'bytes' && sameText(one as JsonValue, other as JsonValue)) return true
  return Buffer.concat(writeBody(one)).equals(Buffer.concat(writeBody(other)))
}

/** An exchange in the form that has the fewest rules: its bodies as text, or bytes, and a summary of texts alone. */
function plainly(exchange: Exchange): Exchange {
  if (!isRecorded(exchange)) return exchange
  const { prompt, response, wire } = exchange
  const { text, error, incomplete, duration_ms, kept, mocked } =
    response as RecordedExchange['response']
  const { provider, operation, model } = prompt.metadata
  const named = Object.entries({ provider, operation, model }).filter(
    ([, value]) => typeof value === 'string',
  )
  return {
    ...exchange,
    prompt: { ...prompt, metadata: Object.fromEntries(named) },
    response: { text, ...present({ error, incomplete, duration_ms, kept, mocked }) },
    wire: {
      request: { ...wire.request, body: plainBody(wire.request.body) },
      response: { ...wire.response, body: plainBody(wire.response.body) },
    },
  } as RecordedExchange
}

function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function plainBody(body: Body): Body {
  switch (body.kind) {
    case 'json':
    case 'events':
    case 'lines':
      return { kind: 'text', text: textOf(body) }
    case 'frames':
      return { kind: 'bytes', bytes: Buffer.concat(writeBody(body)) }
    default:
      return body
  }
}
