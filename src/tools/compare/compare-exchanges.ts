import { isRecorded } from '../../cassette/cassette.ts'
import { PREVIOUS } from '../../conversation/step.ts'
import { alignSequences, pairOpposites } from '../../diff/align.ts'
import { type Change, makeChange, type Place, splitText } from '../../diff/change.ts'
import { diffFields } from '../../diff/diff-json.ts'
import { diffMessages } from '../../diff/diff-messages.ts'
import { diffPrompts } from '../../diff/diff-prompts.ts'
import { messageKey, messageTexts } from '../../diff/message-key.ts'
import { printContent } from '../../diff/print-content.ts'
import type { PromptChange } from '../../diff/prompt-change.ts'
import { compareSketches, sketchWords } from '../../diff/similarity.ts'
import type { JsonValue } from '../../json/json-value.ts'
import type { Message } from '../../prompt/prompt.ts'
import { foldAnswer, isMark } from '../../recording/fold-answer.ts'
import { rememberFor } from '../../remember.ts'
import type { ReadExchange } from './read-exchanges.ts'

/** The most fields of an answer to show that no dialect reads. */
const MAX_FIELDS = 5

/** The changes of an exchange. What an earlier exchange shows too is a consequence: it is reported there alone. */
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

/** Two exchanges that belong together, or one that was added or removed. */
type ExchangePair = [before: ReadExchange | undefined, after: ReadExchange | undefined]

/** The least similarity of two exchanges that belong together. */
const ALIKE = 0.2

/** Pairs the exchanges of two recordings of a test, in their order. */
export function pairExchanges(
  before: readonly ReadExchange[],
  after: readonly ReadExchange[],
): ExchangePair[] {
  const keys = [before, after].map((side) => side.map(({ key }) => key))
  return alignSequences(keys[0]!, keys[1]!).flatMap(({ same, recorded, received }) => {
    const [old, current] = [before.slice(...recorded), after.slice(...received)]
    if (same) return old.map((one, index): ExchangePair => [one, current[index]])
    // Equal numbers on both sides are most likely the same questions.
    if (old.length === current.length)
      return old.map((one, index): ExchangePair => [one, current[index]])
    return pairOpposites(old.length, current.length, (i, j) => score(old[i]!, current[j]!)).map(
      ([i, j]): ExchangePair => [old[i ?? -1], current[j ?? -1]],
    )
  })
}

/** The similarity of two exchanges. That of either the prompts or the answers is enough. */
function score(one: ReadExchange, other: ReadExchange): number {
  const [before, after] = [sketchesOf(one), sketchesOf(other)]
  const shared = Math.max(
    compareSketches(before.asked, after.asked),
    compareSketches(before.answered, after.answered) * 0.9,
  )
  return shared < ALIKE ? 0 : shared
}

const sketchesOf = rememberFor(({ fresh, answer }: ReadExchange) => ({
  asked: sketchWords(fresh.flatMap(messageTexts)),
  answered: sketchWords(messageTexts(answer)),
}))

/** The field that names the model which answered. */
const MODEL = /(?:^|\.)model(?:_?version)?$/i

/** Differences in fields of two recorded answers that no dialect reads. */
interface WireDifferences {
  /** In the model that answered. */
  model: PromptChange[]
  /** In all other fields. */
  others: PromptChange[]
}

/**
 * Compares two recorded answers as they were sent, without the values that providers generate anew; `undefined` if one
 * of them was not recorded, or if they are equal.
 */
function diffOnWire(before: ReadExchange, after: ReadExchange): WireDifferences | undefined {
  const [old, current] = [before, after].map(({ exchange, step }) =>
    isRecorded(exchange) ? foldAnswer(exchange.wire.response, step.dialect ?? '') : undefined,
  )
  if (!old || !current || old.saidItself === current.saidItself) return undefined
  const [recorded, received] = [fieldsOf(old.places), fieldsOf(current.places)]
  const names = new Set([...recorded.keys(), ...received.keys()])
  const differences = [...names].flatMap((name) =>
    diffFields(recorded.get(name), received.get(name), name),
  )
  const isModel = ({ place }: PromptChange): boolean => MODEL.test(place.path)
  return {
    model: differences.filter(isModel),
    others: differences.filter((one) => !isModel(one)),
  }
}

/** The values of an answer by the names of their fields. The events of a stream can repeat a field. */
function fieldsOf(places: ReadonlyMap<string, readonly JsonValue[]>): Map<string, JsonValue> {
  const fields = new Map<string, JsonValue>()
  for (const [place, values] of places) {
    const known = values.filter((value) => !isMark(value))
    if (known.length > 0) fields.set(nameOf(place), known.length === 1 ? known[0]! : [...known])
  }
  return fields
}

/** The name of a field, from a place that can begin with the names of its event and the numbers of its parts. */
function nameOf(place: string): string {
  const inEvent = /^[.[]/.test(place) ? place : place.slice(place.lastIndexOf(' ') + 1)
  return inEvent.slice(inEvent.indexOf('.') + 1).replaceAll('"', '') || 'body'
}
