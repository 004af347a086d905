import { isRecorded } from '../../cassette/cassette.ts'
import { PREVIOUS } from '../../conversation/step.ts'
import type { PromptChange } from '../../diff/prompt-change.ts'
import { diffMessages } from '../../diff/diff-messages.ts'
import { diffPrompts } from '../../diff/diff-prompts.ts'
import { messageKey } from '../../diff/message-key.ts'
import { printContent } from '../../diff/print-content.ts'
import type { Message } from '../../prompt/prompt.ts'
import { type Change, makeChange, type Place, splitText } from '../../diff/change.ts'
import { diffOnWire } from './compare-wire.ts'
import type { ExchangePair } from './pair-exchanges.ts'
import type { ReadExchange } from './read-exchanges.ts'

/** The most fields of an answer to show that no dialect reads. */
const MAX_FIELDS = 5

/** The changes of an exchange. Changes in messages that it repeats are reported at the earlier exchange. */
export function compareExchanges([before, after]: ExchangePair): Change[] {
  if (!before || !after) return [wholeExchange(before, after)]
  const place = { exchange: after.number }
  const differences = [...diffFresh(before, after), ...diffSettings(before, after)]
  const asked = differences.map((one) => changeOf(one, { of: 'prompt', ...place }))
  const told = diffMessages([before.answer], [after.answer])
  const answered = told.map((one) => changeOf(one, { of: 'answer', ...place }))
  return [
    ...asked.flatMap(splitText),
    ...(asked.length === 0 ? unseenInPrompt(before, after) : []),
    ...answered.flatMap(splitText),
    ...keptMark(before, after),
    ...beneathAnswer(
      [before, after],
      answered.length > 0,
      before.prompt.model !== after.prompt.model,
    ),
  ]
}

function diffFresh(before: ReadExchange, after: ReadExchange): PromptChange[] {
  const [old, current] = [before.prompt.messages, after.prompt.messages]
  // If only an earlier answer was edited, its repetition looks new on one side though the prompts are equal.
  if (old.map(messageKey).join() === current.map(messageKey).join()) return []
  return diffMessages(before.fresh, after.fresh)
}

/** The changed settings of a request, but for the id of the answer that it continues. */
function diffSettings(before: ReadExchange, after: ReadExchange): PromptChange[] {
  const without = ({ prompt }: ReadExchange) => ({ ...prompt, messages: [] })
  return diffPrompts(without(before), without(after)).filter(
    ({ kind, place }) =>
      kind !== 'edited' || place.area !== 'field' || !PREVIOUS.includes(place.path),
  )
}

function changeOf(difference: PromptChange, place: Place): Change {
  return makeChange({ ...difference, place: { ...place, inside: difference.place } })
}

/** Reports a changed request in which no difference was found among the new messages and the settings. */
function unseenInPrompt(before: ReadExchange, after: ReadExchange): Change[] {
  const [old, current] = [before, after].map(({ exchange }) => exchange.prompt.hash)
  if (old === undefined || current === undefined || old === current) return []
  const differences = diffPrompts(before.prompt, after.prompt)
  const place = { of: 'prompt', exchange: after.number } as const
  // Only the whole conversation shows which call a result belongs to.
  const answered = differences.filter(({ place: { path } }) => path === 'answered call')
  if (answered.length > 0) return answered.map((one) => changeOf(one, place))
  return differences.length === 0 ? [makeChange({ kind: 'unseen', place })] : []
}

/** Reports that an answer was kept for a changed prompt, or no longer is, where the prompt itself shows no change. */
function keptMark(before: ReadExchange, after: ReadExchange): Change[] {
  const isKept = ({ exchange }: ReadExchange): boolean =>
    isRecorded(exchange) && exchange.response.kept === true
  if (
    isKept(before) === isKept(after) ||
    before.exchange.prompt.hash !== after.exchange.prompt.hash
  )
    return []
  const place = {
    of: 'answer',
    exchange: after.number,
    inside: { area: 'field', path: 'kept' },
  } as const
  const mark = { type: 'value', value: true } as const
  return isKept(after)
    ? [makeChange({ kind: 'added', place, after: mark })]
    : [makeChange({ kind: 'removed', place, before: mark })]
}

/**
 * Reports another model that answered, unless another one was asked. If the answers read the same, reports the other
 * changed fields too.
 */
function beneathAnswer(
  [before, after]: [ReadExchange, ReadExchange],
  isShown: boolean,
  isAskedOfOther: boolean,
): Change[] {
  const differences = diffOnWire(before, after)
  if (!differences) return []
  const { model, others } = differences
  const place = { of: 'answer', exchange: after.number } as const
  const shown = [...(isAskedOfOther ? [] : model), ...(isShown ? [] : others)]
  if (shown.length > 0 && shown.length <= MAX_FIELDS)
    return shown.map((one) => changeOf(one, place))
  const isUnseen = !isShown && (shown.length > 0 || model.length === 0)
  return isUnseen ? [makeChange({ kind: 'unseen', place })] : []
}

function wholeExchange(before: ReadExchange | undefined, after: ReadExchange | undefined): Change {
  const text = (side: ReadExchange) =>
    ({
      type: 'text',
      text: [...side.fresh.map(printMessage), printAnswer(side)].join('\n'),
    }) as const
  const kind = after ? 'added' : 'removed'
  return makeChange({
    kind,
    place: { of: 'exchange', exchange: (after ?? before)!.number },
    ...(before ? { before: text(before) } : {}),
    ...(after ? { after: text(after) } : {}),
  })
}

function printMessage(message: Message): string {
  return `${message.role}: ${printContent({ type: 'message', message })}`
}

function printAnswer({ answer }: ReadExchange): string {
  return `answer: ${printContent({ type: 'message', message: { ...answer, extra: {} } })}`
}
