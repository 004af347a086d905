import { commonStart } from '../../diff/compare/common-ends.ts'
import type { Message } from '../../prompt/prompt.ts'
import { keyMessages, isAssistant, type KeyedMessages } from './keyed-messages.ts'
import { echoLength, findEcho, findResult } from './echo.ts'
import type { Step } from './step.ts'

/** The way in which a prompt continues an earlier exchange. */
export interface Continuation {
  /** True if the prompt repeats the answer of the model to the earlier one. */
  echoes: boolean
  /** The number of messages that both prompts have in common before the new ones. */
  overlap: number
  /** How many messages of the earlier prompt are no longer sent. */
  dropped: number
  /** The new messages, without the repeated answer. */
  fresh: Message[]
}

/** An exchange, with its prompt split up into a dialog. */
export interface Spoken {
  step: Step
  dialog: KeyedMessages
}

/** Splits up the prompt of a step. */
export function spokenOf<S extends Step>(step: S): { step: S; dialog: KeyedMessages } {
  return { step, dialog: keyMessages(step.prompt) }
}

/**
 * Decides whether `next` continues `previous`: it has the end of the earlier prompt, or its answer, and then
 * new messages. The beginning may be dropped, or replaced by a summary.
 */
export function continues(previous: Spoken, next: Spoken): Continuation | undefined {
  const { completion } = previous.step
  const keys = keysBeforeAnswer(previous.dialog)
  const overlaps = findOverlaps(keys, next.dialog.keys).map(({ end, length }) => {
    const rest = next.dialog.messages.slice(end)
    const echo = echoLength(rest, completion)
    const isWhole = length === Math.min(end, keys.length)
    return { end, length, echo, isWhole, rank: (echo > 0 ? 2 : 0) + (isWhole ? 1 : 0) }
  })
  const usable = overlaps.filter(({ end }) => end < next.dialog.keys.length || isFailed(previous))
  usable.sort((one, other) => other.rank - one.rank || other.length - one.length)
  const [best] = usable
  if (best) {
    const { end, length, echo } = best
    const start = end - length
    const kept = commonStart(keys.slice(0, -length), next.dialog.keys.slice(0, start))
    return {
      echoes: echo > 0,
      overlap: length,
      dropped: keys.length - length - kept,
      fresh: [
        ...next.dialog.messages.slice(kept, start),
        ...next.dialog.messages.slice(end + echo),
      ],
    }
  }
  return continuesAnswer(previous, next)
}

/** The continuation if only the answer is left of the history, or if the messages before it were rewritten. */
function continuesAnswer({ step, dialog }: Spoken, next: Spoken): Continuation | undefined {
  const { messages } = next.dialog
  const at = findEcho(messages, step.completion) ?? findResult(messages, step.completion)
  if (at === undefined) return undefined
  let start = at
  while (start > 0 && isAssistant(messages[start - 1]!)) start--
  const kept = commonStart(dialog.keys, next.dialog.keys)
  return {
    echoes: true,
    overlap: 0,
    dropped: Math.max(0, dialog.keys.length - start),
    fresh: [
      // Rewritten messages replace earlier ones, so they are not new.
      ...(start < dialog.keys.length ? [] : messages.slice(kept, start).slice(dialog.keys.length)),
      ...messages.slice(at + 1),
    ],
  }
}

/** The places in `next` at which `previous` ends, with the number of messages that match there. */
function findOverlaps(previous: string[], next: string[]): Array<{ end: number; length: number }> {
  const last = previous.at(-1)
  return next.flatMap((key, index) => {
    if (key !== last) return []
    let length = 1
    while (
      length <= index &&
      length < previous.length &&
      next[index - length] === previous[previous.length - 1 - length]
    )
      length++
    return [{ end: index + 1, length }]
  })
}

/** The keys without trailing assistant messages: a prefilled beginning comes back as a part of the whole answer. */
export function keysBeforeAnswer({ messages, keys }: KeyedMessages): string[] {
  const last = messages.findLastIndex((message) => !isAssistant(message))
  return keys.slice(0, last + 1)
}

/** Whether an exchange has no proper answer. The same request again then continues the conversation. */
export function isFailed({ step: { completion } }: Spoken): boolean {
  const isEmpty = completion.text === '' && completion.toolCalls.length === 0
  return completion.error !== undefined || completion.incomplete === true || isEmpty
}
