import { contentKey, placeKey as keyOfInside } from '../diff/compare/change-key.ts'
import type { Content, Place as InsidePlace } from '../diff/compare/change.ts'
import { sha256 } from '../prompt/sha256.ts'

/** One difference between two states of a cassette: where it stands, and what stood there before and after. */
export interface Change {
  /** The same for equal changes, in whatever cassette and exchange they stand. */
  key: string
  kind: ChangeKind
  place: Place
  before?: Content
  after?: Content
}

export type ChangeKind =
  | 'added'
  | 'removed'
  | 'edited'
  | 'moved'
  | 'renamed'
  /** Nothing that is read changed: dates, the layout of the file, or what travelled beside it. */
  | 'unseen'

/** Where a change stands. */
export interface Place {
  of: 'prompt' | 'answer' | 'exchange' | 'cassette'
  /** The exchange, counted from 1: as it is after the change, or before it where it is gone. */
  exchange?: number
  /** What of a prompt, of an answer, or of the head of a cassette. */
  inside?: InsidePlace
  /** The number of its first line, where it is a piece of a text. */
  line?: number
}

/** Makes a change, with its key. What says only how a change looks in one cassette is no part of the key. */
export function makeChange(
  { kind, place, before, after }: Omit<Change, 'key'>,
  keyed: { before?: Content; after?: Content } = { ...defined({ before, after }) },
): Change {
  const contents = [keyed.before, keyed.after].map((content) => content && contentKey(content))
  const key = sha256(JSON.stringify([kind, placeKey(place), ...contents]))
  return { key, kind, place, ...defined({ before, after }) }
}

/** A text that places share which are the same but for numbers. */
export function placeKey({ of, inside }: Place): string {
  return `${of} ${inside ? keyOfInside(inside) : ''}`
}

function defined(contents: { before: Content | undefined; after: Content | undefined }): {
  before?: Content
  after?: Content
} {
  const { before, after } = contents
  return { ...(before ? { before } : {}), ...(after ? { after } : {}) }
}
