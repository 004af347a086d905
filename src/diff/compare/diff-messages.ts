import type { Message } from '../../prompt/prompt.ts'
import { diffAnsweredCalls } from './answered-calls.ts'
import {
  changeOf,
  diffTexts,
  type PromptChange,
  type Content,
  type MessagePlace,
} from './prompt-change.ts'
import { messagePlace, type ComparedMessage, type MessageChange } from './compared-message.ts'
import { diffJson } from './diff-fields.ts'
import { diffPart, pairParts } from './diff-parts.ts'
import { pairMessages, type MessagePair } from './pair-messages.ts'
import { extraOf } from './message-key.ts'

/** Compares two conversations: messages added, removed and moved, and the changes inside the others. */
export function diffMessages(recorded: Message[], received: Message[]): PromptChange[] {
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
  const inside = (path: string): MessagePlace => messagePlace(pair, current.role, path)

  const moved: PromptChange = { kind: 'moved', place: inside(''), after: contentOf(current) }
  const changes = [
    ...(pair.moved ? [moved] : []),
    ...diffTexts(inside('role'), old.role, current.role),
    ...parts.flatMap((partPair) => diffPart(old, current, partPair, inside)),
    ...diffJson(extraOf(old), extraOf(current), '', inside),
  ]
  return { pair, parts, changes: changes as MessageChange[] }
}

function addedOrRemoved(
  old: Message | undefined,
  current: Message | undefined,
  pair: MessagePair,
): MessageChange {
  const place = messagePlace(pair, (current ?? old)!.role, '')
  return changeOf(place, old && contentOf(old), current && contentOf(current))
}

function contentOf(message: Message): Content {
  return { type: 'message', message }
}

function countUnchanged(compared: ComparedMessage[]): PromptChange[] {
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
