import { crc32, deflateSync } from 'node:zlib'

const SIZE = 32

// No two rows are the same, so that the picture is large enough to be a file of its own.
const rows = Array.from({ length: SIZE }, (_, y) => [0, ...rowOf(y)])

/** A PNG of 32 × 32 pixels, in base64. */
export const picture = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', Buffer.from([0, 0, 0, SIZE, 0, 0, 0, SIZE, 8, 2, 0, 0, 0])),
  chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
  chunk('IEND', Buffer.alloc(0)),
]).toString('base64')

function rowOf(y: number): number[] {
  return Array.from({ length: SIZE }, (_, x) => [255, (x * x * y) % 251, (x + y * y) % 241]).flat()
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  const checksum = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
