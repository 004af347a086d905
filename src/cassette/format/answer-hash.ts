import { createHash } from 'node:crypto'
import stableStringify from 'fast-json-stable-stringify'
import { writeBody } from '../../wire/body.ts'
import type { WireResponse } from '../../wire/message.ts'

/**
 * The hash of all that a replay of an answer sends: status, headers, every byte, and where each piece
 * ends. Stored beside the answer, it tells an edited answer from a recorded one, also where the answer
 * refers to a text of the readable half. It is no signature: who edits both is found in review; so
 * half of a sha256, 128 bits in hexadecimal, is enough and keeps cassettes small.
 */
export function hashAnswer({ status, headers, body, cut = false }: WireResponse): string {
  const hash = createHash('sha256')
  const head = Buffer.from(stableStringify({ status, headers, cut }))
  for (const piece of [head, ...writeBody(body)]) hash.update(`${piece.length}\n`).update(piece)
  return `sha256-${hash.digest('hex').slice(0, 32)}`
}
