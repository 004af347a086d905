import type { StoredCassette } from '../cassette/format.ts'
import { maskSecret } from './mask.ts'
import { readingsOf } from './readings.ts'
import { scanTexts } from './scan-texts.ts'
import { textsOfCassette } from './texts-of-cassette.ts'

/** Something in a cassette that looks like a credential. */
export interface FoundSecret {
  /** A JSON pointer into the cassette file. */
  pointer: string
  /** Which rule found it: `anthropic`, `github`, `named-credential`, … */
  rule: string
  /** Its first characters and its length. */
  masked: string
}

/**
 * Scans a cassette file for credentials: every text and key, streams as the whole that they make, escapes
 * and base64 undone. Each credential is named once in each exchange, at the first place where it stands.
 */
export async function findSecrets(stored: StoredCassette): Promise<FoundSecret[]> {
  const texts = textsOfCassette(stored).flatMap(({ pointer, text }) =>
    readingsOf(text).map((reading) => ({ pointer, reading })),
  )
  const scanned = await scanTexts(texts.map(({ reading }) => reading))
  const found = new Map<string, FoundSecret & { secret: string }>()
  for (const { text, rule, secret } of scanned.toSorted((one, other) => one.text - other.text)) {
    const { pointer } = texts[text]!
    const exchange = pointer.split('/')[2]
    const known = [...found.values()].some(
      (other) => other.pointer.split('/')[2] === exchange && overlaps(other.secret, secret),
    )
    if (!known)
      found.set(`${exchange} ${secret}`, { pointer, rule, masked: maskSecret(secret), secret })
  }
  return [...found.values()].map(({ pointer, rule, masked }) => ({ pointer, rule, masked }))
}

/** Two rules can find one credential, and one of them more of it. */
function overlaps(one: string, other: string): boolean {
  return one.includes(other) || other.includes(one)
}
