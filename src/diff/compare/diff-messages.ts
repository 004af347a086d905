import type { Message } from '../../prompt/prompt.ts'
import { diffAnsweredCalls } from './answered-calls.ts'
import type { Change, MessagePlace } from './change.ts'
import { messagePlace, type ComparedMessage, type MessageChange } from './compared-message.ts'
import { diffJson } from './diff-fields.ts'
import { diffPart } from './diff-part.ts'
import { pairMessages, type MessagePair } from './pair-messages.ts'
import { pairParts } from './pair-parts.ts'
import { extraOf } from './message-key.ts'

/** Compares two conversations: messages added, removed and moved, and the changes inside the others. */
export function diffMessages(recorded: Message[], received: Message[]): Change[] {
  const compared = pairMessages(recorded, received).map((pair) => {
    const [old, current] = [recorded[pair.recorded ?? -1], received[pair.received ?? -1]]
    if (old && current) return compareMessages(old, current, pair)
    return { pair, parts: [], changes: [addedOrRemoved(old, current, pair)] }
  })
  diffAnsweredCalls(recorded, received, compared)
  return countUnchanged(compared)
}

function compareMessages(old: Message, current: Message, pair: MessagePair): ComparedMessage {
  const parts = pairParts(old.parts, current.parts)
  const changes: Change[] = []
  const inside = (path: string): MessagePlace => messagePlace(pair, current.role, path)

  if (pair.moved) {
    changes.push({
      kind: 'moved',
      place: inside(''),
      after: { type: 'message', message: current },
    })
  }
  if (old.role !== current.role) {
    changes.push({
      kind: 'edited',
      place: inside('role'),
      before: { type: 'text', text: old.role },
      after: { type: 'text', text: current.role },
    })
  }
  for (const partPair of parts)
    for (const change of diffPart(old, current, partPair, inside)) changes.push(change)
  for (const change of diffJson(extraOf(old), extraOf(current), '', inside)) changes.push(change)
  return { pair, parts, changes: changes as MessageChange[] }
}

function addedOrRemoved(
  old: Message | undefined,
  current: Message | undefined,
  pair: MessagePair,
): MessageChange {
  if (current) {
    const place = messagePlace(pair, current.role, '')
    return { kind: 'added', place, after: { type: 'message', message: current } }
  }
  const place = messagePlace(pair, old!.role, '')
  return { kind: 'removed', place, before: { type: 'message', message: old! } }
}

function countUnchanged(compared: ComparedMessage[]): Change[] {
  const all: MessageChange[] = []
  let unchanged = 0
  for (const { changes } of compared) {
    const [first] = changes
    if (!first) {
      unchanged++
      continue
    }
    first.place.unchangedBefore = unchanged
    unchanged = 0
    for (const change of changes) all.push(change)
  }
  const last = all.at(-1)
  if (last) last.place.unchangedAfter = unchanged
  return all
}
