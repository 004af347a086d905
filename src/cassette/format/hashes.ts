import { createHash, hash } from 'node:crypto'
import stableStringify from 'fast-json-stable-stringify'
import { type Body, writeBody } from '../../wire/body.ts'
import type { WireResponse } from '../../wire/message.ts'
import type { StoredCassette } from '../format.ts'

/**
 * The hash of a file: `sha256-<head>-<recorded exchanges>`, 128 bits each in hexadecimal. It leaves out exchanges that a person wrote, who may
 * change them at any time. Like the hash of an answer, it is no signature.
 */
function hashFile(stored: StoredCassette): string {
  const { file_hash: _, exchanges, ...head } = stored
  const recorded = exchanges.filter(({ wire }) => wire?.response)
  return `sha256-${digest(head)}-${digest(recorded)}`
}

/** The parts of a file that differ from its hash, so that they were edited; none if it has no hash. */
export function editedParts(stored: StoredCassette): Array<'head' | 'exchanges'> {
  if (stored.file_hash === undefined) return []
  const [said, real] = [stored.file_hash, hashFile(stored)].map((hash) => hash.split('-'))
  const parts = ['head', 'exchanges'] as const
  return parts.filter((_, index) => said![index + 1] !== real![index + 1])
}

/** A file with its fields in order, and with its hash if it has a recorded answer. */
export function withFileHash(stored: StoredCassette): StoredCassette {
  const { file_hash: _, ...unhashed } = stored
  const ordered = inOrder(unhashed)
  const needsHash = ordered.exchanges.some(({ wire }) => wire?.response)
  return needsHash ? inOrder({ ...ordered, file_hash: hashFile(ordered) }) : ordered
}

/** Puts fields in one order, so that no line changes without need. */
function inOrder(stored: StoredCassette): StoredCassette {
  const { $schema, version, conversation_id, timestamp, oldest_answer, invalid } = stored
  const { params, proposed_params, file_hash, hashes, exchanges } = stored
  const fields = {
    $schema,
    version,
    conversation_id,
    timestamp,
    oldest_answer,
    file_hash,
    hashes,
    invalid,
    params,
    proposed_params,
    exchanges,
  }
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as StoredCassette
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
}

/** The last hash of each body, with its head. An answer over a socket has a new body as it grows. */
const known = new WeakMap<Body, { head: string; hash: string }>()

/**
 * The hash of all that a replay of an answer sends: status, headers, every byte, and where each piece ends. Stored
 * beside the answer, it tells an edited answer from a recorded one, also where the answer refers to a text of the
 * readable half. It is no signature: review has to find an edit of both. So half of a sha256, 128 bits in
 * hexadecimal, is enough and keeps cassettes small.
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
