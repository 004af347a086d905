/** A long base64 text, with what stands before it in a data URL. */
export interface Base64Content {
  /** `data:image/png;base64,`, or empty for bare base64. */
  prefix: string
  base64: string
}

/** Shorter texts are cheaper to keep where they stand. */
const MIN_LENGTH = 1_024

const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64,/
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** Finds long inline binary content: a data URL, or base64 of at least 1,024 characters. */
export function findBase64(text: string): Base64Content | undefined {
  if (text.length < MIN_LENGTH) return undefined
  const prefix = DATA_URL.exec(text.slice(0, 256))?.[0] ?? ''
  // The first characters settle it for nearly every ordinary text.
  if (!BASE64.test(text.slice(prefix.length, prefix.length + 64).replace(/=+$/, '')))
    return undefined
  const base64 = prefix === '' ? text : text.slice(prefix.length)
  return BASE64.test(base64) ? { prefix, base64 } : undefined
}
