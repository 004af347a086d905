let crypto: typeof import('node:crypto') | undefined

/** The sha256 of a text or of bytes, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  // Most test files hash nothing, and an import would load it for all of them.
  crypto ??= process.getBuiltinModule('node:crypto')
  return crypto.hash('sha256', content, 'hex')
}
