import { hash } from 'node:crypto'
import stableStringify from 'fast-json-stable-stringify'
import { writeBody, type Body } from '../../wire/body.ts'
import type { WireResponse } from '../../wire/message.ts'

/** The last hash of each body, with its head. An answer over a socket has a new body as it grows. */
const known = new WeakMap<Body, { head: string; hash: string }>()

/**
 * The hash of all that a replay of an answer sends: status, headers, every byte, and where each piece ends. Stored
 * beside the answer, it tells an edited answer from a recorded one, also where the answer refers to a text of the
 * readable half. It is no signature: review has to find an edit of both. So half of a sha256, 128 bits in
 * hexadecimal, is enough and keeps cassettes small. An answer that is journaled and then saved is hashed once.
 */
export function hashAnswer({ status, headers, body, cut = false, aborted }: WireResponse): string {
  const head = stableStringify({ status, headers, cut, aborted })
  const last = known.get(body)
  if (last?.head === head) return last.hash
  const pieces = [Buffer.from(head), ...writeBody(body)]
  const marked = pieces.flatMap((piece) => [Buffer.from(`${piece.length}\n`), piece])
  const digest = `sha256-${hash('sha256', Buffer.concat(marked), 'hex').slice(0, 32)}`
  known.set(body, { head, hash: digest })
  return digest
}
