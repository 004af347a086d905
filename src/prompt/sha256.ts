import { builtin } from '../real/builtin.ts'
import { inRealWorld } from '../real/real-world.ts'

let hash: typeof import('node:crypto').hash | undefined

/** The sha256 of a text or of bytes, in hexadecimal by default. */
export function sha256(
  content: string | Uint8Array,
  encoding: 'hex' | 'base64url' = 'hex',
): string {
  // Most test files hash nothing, and an import would load it for all of them.
  hash ??= inRealWorld(() => builtin('node:crypto').hash)
  return hash('sha256', content, encoding)
}
