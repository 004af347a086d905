import { createHash, hash } from 'node:crypto'
import stableStringify from 'fast-json-stable-stringify'
import * as z from 'zod/mini'
import { CassetteError } from '../errors.ts'
import { type JsonValue, parseJson } from '../json/json-value.ts'
import { type Body, writeBody } from '../wire/body.ts'
import type { WireResponse } from '../wire/message.ts'
import { cassetteSchema, FORMAT_VERSION, type StoredCassette } from './format.ts'
import { idOfPlace } from './written.ts'

export { adviseOnForeign, hasMarkers } from './format/advise-on-text.ts'

const CONFLICT = /^(<{7}|={7}|>{7})/m

/**
 * Parses the text of a cassette file and checks all of it.
 *
 * @throws CassetteError `invalid-cassette` whose message is the problem alone: `at /exchanges/0/wire: …`.
 */
export function parseCassette(text: string): StoredCassette {
  const value = parse(text)
  refuseOtherVersions(value)
  const result = cassetteSchema.safeParse(value)
  if (!result.success) throw problem(describeIssue(result.error.issues[0]!, value))
  refuseSameIds(result.data)
  // The value itself, not zod's copy: its keys keep the order in which they stand in the file.
  return value as unknown as StoredCassette
}

function parse(text: string): JsonValue {
  try {
    return parseJson(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    refuseConflict(text)
    throw problem(
      error instanceof SyntaxError ? `it is not JSON: ${error.message}` : (error as Error).message,
    )
  }
}

/** A string in JSON never spans lines, so a file with a marker never parses. */
function refuseConflict(text: string): void {
  const conflict = CONFLICT.exec(text)
  if (conflict) {
    const line = text.slice(0, conflict.index).split('\n').length
    throw problem(
      `line ${line} is a merge conflict marker; two branches recorded this test differently`,
    )
  }
}

function refuseOtherVersions(value: JsonValue): void {
  const version =
    value !== null && typeof value === 'object' && 'version' in value ? value.version : undefined
  if (typeof version !== 'string' || !(parseInt(version) > 1)) return
  throw problem(
    `its format has version ${version}, and this release reads ${FORMAT_VERSION}; a newer vitest-cassette wrote it`,
  )
}

/** Refuses two exchanges with one id if a person wrote one of them: a message could not tell them apart. */
function refuseSameIds({ exchanges }: StoredCassette): void {
  const places = new Map<string, number>()
  for (const [index, { id: own, wire }] of exchanges.entries()) {
    const id = own ?? idOfPlace(index)
    const first = places.get(id)
    const isWritten = !wire || (first !== undefined && !exchanges[first]!.wire)
    if (first !== undefined && isWritten)
      throw problem(
        `at /exchanges/${index}/id: exchanges ${first + 1} and ${index + 1} are both called ${id}; give each an id of its own, or none`,
      )
    places.set(id, index)
  }
}

function describeIssue(issue: z.core.$ZodIssue, value: JsonValue): string {
  if (issue.code === 'invalid_union') return describeIssue(issueOfKind(issue, value), value)
  const place = `at /${issue.path.map(String).join('/')}`
  if (issue.code === 'unrecognized_keys') {
    return `${place}: unknown field ${issue.keys.map((key) => `'${key}'`).join(', ')}`
  }
  if (valueAt(value, issue.path) === undefined) return `${place}: this field is missing`
  if (issue.code === 'invalid_type') return `${place}: expected ${issue.expected}`
  if (issue.code === 'invalid_value') return `${place}: expected one of ${issue.values.join(', ')}`
  if (issue.code === 'invalid_format')
    return issue.format === 'datetime'
      ? `${place}: expected a time in UTC, such as 2026-01-31T12:00:00.000Z`
      : `${place}: expected ${issue.pattern ?? issue.format}`
  if (issue.code === 'too_small') return `${place}: expected at least ${issue.minimum}`
  if (issue.code === 'too_big') return `${place}: expected at most ${issue.maximum}`
  return `${place}: ${issue.message}`
}

/** The issue of what the value is meant to be: a recorded exchange or one written by hand, a text or its pieces. */
function issueOfKind(
  { errors: [first, second], path }: z.core.$ZodIssueInvalidUnion,
  value: JsonValue,
): z.core.$ZodIssue {
  const given = valueAt(value, path)
  const isExchange = path.length === 2 && path[0] === 'exchanges'
  const isSecond = isExchange
    ? valueAt(given, ['wire']) === undefined
    : typeof given === 'object' && given !== null
  const [issue] = (isSecond ? second : first)!
  return { ...issue!, path: [...path, ...issue!.path] }
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce(
    (parent, key) => (parent as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  )
}

function problem(text: string): CassetteError {
  return new CassetteError('invalid-cassette', text)
}

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
