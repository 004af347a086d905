import { isAscii } from 'node:buffer'

/** Reads bytes as UTF-8, a byte order mark included; `undefined` for bytes that are not UTF-8. */
export function readUtf8(bytes: Uint8Array): string | undefined {
  // Most bytes are ASCII, which takes a fraction of the time to copy that it takes to decode.
  if (isAscii(bytes))
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
