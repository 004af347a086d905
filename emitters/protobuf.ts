/** How a field of a message is read, by its number. */
type Fields = Record<number, [name: string, read: Reader, isList?: 'list']>
type Reader = (value: Buffer | bigint) => unknown

const text: Reader = (value) => value.toString()
const hex: Reader = (value) => (value as Buffer).toString('hex')
const fixed: Reader = (value) => (value as Buffer).readBigUInt64LE().toString()
const double: Reader = (value) => (value as Buffer).readDoubleLE()
const number: Reader = (value) => Number(value)
const long: Reader = (value) => BigInt.asIntN(64, value as bigint).toString()
const bool: Reader = (value) => value !== 0n

/** A message, whose fields can be messages of its own kind. */
function message(fields: () => Fields): Reader {
  return (value) => decode(value as Buffer, fields())
}

const anyValue = message(() => ({
  1: ['stringValue', text],
  2: ['boolValue', bool],
  3: ['intValue', long],
  4: ['doubleValue', double],
  5: ['arrayValue', message(() => ({ 1: ['values', anyValue, 'list'] }))],
  6: ['kvlistValue', message(() => ({ 1: ['values', keyValue, 'list'] }))],
}))
const keyValue = message(() => ({ 1: ['key', text], 2: ['value', anyValue] }))
const event = message(() => ({
  1: ['timeUnixNano', fixed],
  2: ['name', text],
  3: ['attributes', keyValue, 'list'],
}))
const span = message(() => ({
  1: ['traceId', hex],
  2: ['spanId', hex],
  4: ['parentSpanId', hex],
  5: ['name', text],
  6: ['kind', number],
  7: ['startTimeUnixNano', fixed],
  8: ['endTimeUnixNano', fixed],
  9: ['attributes', keyValue, 'list'],
  11: ['events', event, 'list'],
  15: ['status', message(() => ({ 2: ['message', text], 3: ['code', number] }))],
}))
const scope = message(() => ({ 1: ['name', text], 2: ['version', text] }))
const scopeSpans = message(() => ({ 1: ['scope', scope], 2: ['spans', span, 'list'] }))
const resource = message(() => ({ 1: ['attributes', keyValue, 'list'] }))
const resourceSpans = message(() => ({
  1: ['resource', resource],
  2: ['scopeSpans', scopeSpans, 'list'],
}))

/** The spans that an exporter sent as protocol buffers, as the collector writes them to a file. */
export function decodeSpans(body: Buffer): object {
  return decode(body, { 1: ['resourceSpans', resourceSpans, 'list'] })
}

function decode(bytes: Buffer, fields: Fields): Record<string, unknown> {
  const decoded: Record<string, unknown> = {}
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at++]!)
      value |= (byte & 0x7fn) << shift
      if (byte < 0x80n) return value
    }
  }
  const take = (length: number): Buffer => bytes.subarray(at, (at += length))
  while (at < bytes.length) {
    const tag = Number(varint())
    const wire = tag & 7
    const value =
      wire === 0 ? varint() : wire === 1 ? take(8) : wire === 5 ? take(4) : take(Number(varint()))
    const field = fields[tag >> 3]
    if (!field) continue
    const [name, read, isList] = field
    if (isList) ((decoded[name] ??= []) as unknown[]).push(read(value))
    else decoded[name] = read(value)
  }
  return decoded
}
