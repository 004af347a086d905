import { contentKey, placeKey as keyOfInside } from './change-key.ts'
import type { Content, PromptPlace } from './prompt-change.ts'
import { sha256 } from '../../prompt/sha256.ts'

/** One difference between two states of a cassette: its place, and the content before and after. */
export interface Change {
  /** The same for equal changes of any cassette and exchange. */
  key: string
  kind: ChangeKind
  place: Place
  before?: Content
  after?: Content
}

type ChangeKind =
  | 'added'
  | 'removed'
  | 'edited'
  | 'moved'
  | 'renamed'
  /** Only parts that are not compared changed: dates, the layout of the file, or other data on the wire. */
  | 'unseen'

/** The place of a change. */
export interface Place {
  of: 'prompt' | 'answer' | 'exchange' | 'cassette'
  /** The number of the exchange after the change, counted from 1; of a removed one, the number before. */
  exchange?: number
  /** The place inside a prompt, an answer, or the head of a cassette. */
  inside?: PromptPlace
  /** The number of its first line, if the change is a piece of a text. */
  line?: number
}

/** Makes a change with its key. Of the content, only `keyed` is a part of the key. */
export function makeChange(
  { kind, place, before, after }: Omit<Change, 'key'>,
  keyed: { before?: Content | undefined; after?: Content | undefined } = { before, after },
): Change {
  const contents = [keyed.before, keyed.after].map((content) => content && contentKey(content))
  const key = sha256(JSON.stringify([kind, placeKey(place), ...contents]))
  return { key, kind, place, ...(before ? { before } : {}), ...(after ? { after } : {}) }
}

/** A key that places share if they differ only in numbers. */
export function placeKey({ of, inside }: Place): string {
  return `${of} ${inside ? keyOfInside(inside) : ''}`
}
