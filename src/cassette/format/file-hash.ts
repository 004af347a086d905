import { createHash } from 'node:crypto'
import type { StoredCassette } from './format.ts'
import { INLINE_VERSION, OLDER_VERSION } from './patterns.ts'

/** The hashes of a file, each 128 bits in hexadecimal: of its head, and of its recorded exchanges. */
export interface FileHash {
  head: string
  exchanges: string
}

/**
 * The hash of a file: `sha256-<head>-<recorded exchanges>`. It leaves out exchanges that a person wrote, who may
 * change them at any time. Like the hash of an answer, it is no signature.
 */
export function hashFile(stored: StoredCassette): string {
  const { file_hash: _, exchanges, ...head } = stored
  const recorded = exchanges.filter(({ wire }) => wire?.response)
  return `sha256-${digest(head)}-${digest(recorded)}`
}

/** The two hashes that the hash of a file names. */
export function readFileHash(hash: string): FileHash {
  const [, head = '', exchanges = ''] = hash.split('-')
  return { head, exchanges }
}

/** A file with its fields in order, and with its hash if it needs one. */
export function withFileHash(stored: StoredCassette): StoredCassette {
  const { file_hash: _, ...unhashed } = stored
  const ordered = inOrder(unhashed)
  return needsHash(ordered) ? inOrder({ ...ordered, file_hash: hashFile(ordered) }) : ordered
}

/** Puts fields in one order, so that no line changes without need. */
function inOrder(stored: StoredCassette): StoredCassette {
  const { $schema, version, conversation_id, timestamp, oldest_answer, invalid } = stored
  const { params, proposed_params, file_hash, hashes, exchanges } = stored
  const isLast = version === INLINE_VERSION
  const fields = {
    $schema,
    version,
    conversation_id,
    timestamp,
    oldest_answer,
    ...(isLast ? {} : { file_hash }),
    hashes,
    invalid,
    params,
    proposed_params,
    ...(isLast ? { file_hash } : {}),
    exchanges,
  }
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as StoredCassette
}

/** Whether a file needs a hash: files of version 1.0 and files without a recorded answer do not. */
function needsHash({ version, exchanges }: StoredCassette): boolean {
  return version !== OLDER_VERSION && exchanges.some(({ wire }) => wire?.response)
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
}
