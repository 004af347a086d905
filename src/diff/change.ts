import { sha256 } from '../prompt/sha256.ts'
import { alignSequences } from './align.ts'
import { messageKey, partKey, toolKey } from './message-key.ts'
import type { Content, PromptPlace } from './prompt-change.ts'
import { jsonKey } from '../prompt/json-key.ts'

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

/**
 * A key that places share if they differ only in numbers: the same edit of message 2 and of message 5 is one change.
 */
export function placeKey({ of, inside }: Place): string {
  return `${of} ${inside ? keyOfInside(inside) : ''}`
}

/** A key that two places share exactly if they differ at most in the numbers of messages and parts. */
export function keyOfInside(place: PromptPlace): string {
  if (place.area === 'field') return JSON.stringify([place.area, place.path])
  if (place.area === 'tool') return JSON.stringify([place.area, place.tool, place.path])
  const { area, role, part, path } = place
  // Anthropic puts the results of tools into messages of the user, others do not.
  const whose = part?.type === 'tool_call_response' ? 'tool' : role
  return JSON.stringify([area, whose, part?.type ?? null, part?.tool ?? null, path])
}

/** A key that two contents share exactly if they are equal; ids of tool calls do not count. */
export function contentKey(content: Content): string {
  if (content.type === 'text') return JSON.stringify(content.text)
  if (content.type === 'value') return jsonKey(content.value)
  if (content.type === 'message') return messageKey(content.message)
  return content.type === 'part' ? partKey(content.part) : toolKey(content.tool)
}

/** Splits an edited text into one change for each stretch of changed lines. Any other change stays as it is. */
export function splitText(change: Change): Change[] {
  const { kind, place, before, after } = change
  if (kind !== 'edited' || before?.type !== 'text' || after?.type !== 'text') return [change]
  const [old, current] = [before.text.split('\n'), after.text.split('\n')]
  if (old.length === 1 && current.length === 1) return [change]
  return alignSequences(old, current)
    .filter(({ same }) => !same)
    .map(({ recorded, received }) => {
      const [removed, added] = [old.slice(...recorded), current.slice(...received)]
      const pieces = {
        ...(removed.length > 0 ? { before: textOf(removed) } : {}),
        ...(added.length > 0 ? { after: textOf(added) } : {}),
      }
      const how = removed.length === 0 ? 'added' : added.length === 0 ? 'removed' : 'edited'
      const [from] = added.length > 0 ? received : recorded
      return makeChange({ kind: how, place: { ...place, line: from + 1 }, ...pieces })
    })
}

function textOf(lines: string[]): Content {
  return { type: 'text', text: lines.join('\n') }
}
