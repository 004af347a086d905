import { createHash } from 'node:crypto'
import type { StoredCassette } from './format.ts'
import { OLDER_VERSION } from './patterns.ts'

/** The hashes of a file, each 128 bits in hexadecimal: of its head, and of the exchanges in it that were recorded. */
export interface FileHash {
  head: string
  exchanges: string
}

/**
 * The hash of all that stands in a file: `sha256-<head>-<recorded exchanges>`. What a person wrote is not in it,
 * who may change it at any time. It is no signature, as that of an answer is none.
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

/** A file with its hash, and its fields in their order; without one where nothing in it needs it. */
export function withFileHash(stored: StoredCassette): StoredCassette {
  const ordered = inOrder(stored)
  const { exchanges, file_hash: _, ...head } = ordered
  return needsHash(stored)
    ? { ...head, file_hash: hashFile(ordered), exchanges }
    : { ...head, exchanges }
}

/** Whoever wrote a field, it stands where the others of its name do, so that a file changes no line for nothing. */
function inOrder({
  $schema,
  version,
  conversation_id,
  timestamp,
  oldest_answer,
  invalid,
  params,
  proposed_params,
  exchanges,
}: StoredCassette): StoredCassette {
  return {
    ...($schema === undefined ? {} : { $schema }),
    version,
    conversation_id,
    timestamp,
    ...(oldest_answer ? { oldest_answer } : {}),
    ...(invalid ? { invalid } : {}),
    ...(params ? { params } : {}),
    ...(proposed_params ? { proposed_params } : {}),
    exchanges,
  }
}

/** Whether a file has a hash: not those of older releases, and not those in which all was written by hand. */
export function needsHash({ version, exchanges }: StoredCassette): boolean {
  return version !== OLDER_VERSION && exchanges.some(({ wire }) => wire?.response)
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
}
