import type { Exchange } from '../cassette/cassette.ts'
import { extractBlob } from '../cassette/encode.ts'
import { everyValue } from '../json/walk.ts'
import { findBase64 } from '../prompt/base64.ts'
import { sha256 } from '../prompt/sha256.ts'
import { jsonOf } from '../wire/body.ts'

/** A picture, audio or document of a prompt. */
interface Picture {
  /** Its file in `blobs/`. */
  name: string
  base64: string
}

/** The files that prompts contain, by the hash of their base64. */
export type Pictures = ReadonlyMap<string, Picture>

/** Finds the files that the exchanges of a cassette contain. */
export function findPictures(exchanges: readonly Exchange[]): Pictures {
  const pictures = new Map<string, Picture>()
  // Later requests repeat the texts of earlier ones, and often the very same string.
  const seen = new Set<string>()

  function lookAt(text: string): void {
    if (text.length < 1_024 || seen.has(text)) return
    seen.add(text)
    const content = findBase64(text)
    if (!content) return
    const { base64 } = content
    extractBlob(text, (name) => pictures.set(sha256(base64), { name, base64 }))
  }

  for (const { wire } of exchanges)
    for (const value of everyValue((wire && jsonOf(wire.request.body)) ?? null))
      if (typeof value === 'string') lookAt(value)
  return pictures
}
