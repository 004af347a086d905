import { createHash } from 'node:crypto'

/** A sha256 of a text, in base64url without padding. */
export function sha256Base64url(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Whether the seal of a file holds; `undefined` where it has none. */
export function isSealed(text: string): boolean | undefined {
  const found = /^([^]*, )"seal": "([\w-]{43})"\s*\}\s*$/.exec(text)
  if (!found) return /"seal": "[\w-]*"/.test(text.slice(-200)) ? false : undefined
  const [, before, seal] = found
  return sha256Base64url(before!.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')) === seal
}
