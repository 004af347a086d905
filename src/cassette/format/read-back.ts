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
  const exchanges = cassette.exchanges.map((one) => {
    const alone = { ...cassette, exchanges: [one] }
    return whyUnreadable(printed(alone, schemaPath), alone) === undefined ? one : plainly(one)
  })
  let reason: string | undefined
  for (const all of [exchanges, cassette.exchanges.map(plainly)]) {
    const plain = { ...cassette, exchanges: all }
    const file = printed(plain, schemaPath)
    reason = whyUnreadable(file, plain)
    if (reason === undefined) return file
  }
  throw new CassetteError(
    'internal',
    `the recording cannot be read back (${reason}), so it does not replace the cassette`,
  )
}

function printed(cassette: Cassette, schemaPath: string): ReadableFile {
  const encoded = encodeCassette(cassette, schemaPath)
  return { ...encoded, text: printSealed(encoded.stored) }
}

/** Why a file does not give back what is compared and what a replay sends; `undefined` where it does. */
function whyUnreadable({ text, blobs }: ReadableFile, cassette: Cassette): string | undefined {
  try {
    const read = decodeCassette(parseStored(text)!, (name) => blobs.get(name)!)
    const at = cassette.exchanges.findIndex((one, at) => !isSame(one, read.exchanges[at]!))
    return at < 0 ? undefined : `exchange ${at + 1} differs`
  } catch (error) {
    return (error as Error).message
  }
}

function isSame(one: Exchange, other: Exchange): boolean {
  if (!isRecorded(one)) return true
  if (!isRecorded(other)) return false
  const [{ request, response }, read] = [one.wire, other.wire]
  return (
    isSameHead(request, read.request) &&
    isSameHead(response, read.response) &&
    isSameBody(request.body, read.request.body) &&
    isSameBody(response.body, read.response.body)
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
