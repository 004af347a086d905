import { isRecorded } from '../../cassette/cassette.ts'
import { PREVIOUS } from '../../conversation/step.ts'
import { alignSequences, pairEdited } from '../../diff/align.ts'
import { type Change, makeChange, type Place, splitText } from '../../diff/change.ts'
import { diffFields } from '../../diff/diff-json.ts'
import { diffMessages } from '../../diff/diff-messages.ts'
import { diffPrompts } from '../../diff/diff-prompts.ts'
import { messageKey, messageTexts } from '../../diff/message-key.ts'
import { printContent } from '../../diff/print-content.ts'
import type { PromptChange } from '../../diff/prompt-change.ts'
import { compareSketches, sketchWords } from '../../diff/similarity.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Message } from '../../prompt/prompt.ts'
import { foldAnswer, isMark } from '../../recording/fold-answer.ts'
import { rememberFor } from '../../remember.ts'
import { readIncoming } from '../../engine/incoming.ts'
import { COUNTING_HEADERS } from '../../wire/headers.ts'
import { diffAddresses } from './compare-addresses.ts'
import { marksOfAnswer, marksOfRequest } from './marks.ts'
import type { ReadExchange } from './read-exchanges.ts'

/** The most fields of an answer to show that no dialect reads. */
const MAX_FIELDS = 5

/** The changes of an exchange. What an earlier exchange shows too is a consequence: it is reported there alone. */
export function compareExchanges([before, after]: ExchangePair): Change[] {
  if (!before || !after) return [wholeExchange(before, after)]
  const place = { exchange: after.number }
  const differences = [
    ...diffAddresses(before, after),
    ...diffFresh(before, after),
    ...diffSettings(before, after),
    ...diffNamed(
      marksOfRequest(before.exchange.wire?.request),
      marksOfRequest(after.exchange.wire?.request),
    ),
  ]
  const asked = differences.map((one) => changeOf(one, { of: 'prompt', ...place }))
  const told = diffMessages([before.answer], [after.answer])
  const answered = told.map((one) => changeOf(one, { of: 'answer', ...place }))
  const marked = diffMarks(before, after)
  return [
    ...asked.flatMap(splitText),
    ...(asked.length === 0 ? unseenInPrompt(before, after) : []),
    ...answered.flatMap(splitText),
    ...marked,
    ...beneathAnswer(
      [before, after],
      answered.length + marked.length > 0,
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
  if (differences.length > 0) return []
  const others = diffCanonical(before, after)
  return others.length > 0 && others.length <= MAX_FIELDS
    ? others.map((one) => changeOf(one, place))
    : [makeChange({ kind: 'unseen', place })]
}

/** The differences of two requests in the form that is compared, as a failure shows them where the prompts read the same. */
function diffCanonical(...exchanges: [ReadExchange, ReadExchange]): PromptChange[] {
  const [old, current] = exchanges.map(
    ({ exchange: { wire } }) => wire && readIncoming(wire.request).canonical,
  )
  return old && current
    ? diffFields(old as unknown as JsonValue, current as unknown as JsonValue)
    : []
}

/** The changes of what decides how an answer is judged. That an answer was kept is said beside its changed prompt. */
function diffMarks(before: ReadExchange, after: ReadExchange): Change[] {
  const isPromptChanged = before.exchange.prompt.hash !== after.exchange.prompt.hash
  const [one, other] = [before, after].map(({ exchange }) => marksOfAnswer(exchange))
  return diffNamed(one!, other!)
    .filter(({ place }) => !(isPromptChanged && place.path === 'kept'))
    .map((mark) => changeOf(mark, { of: 'answer', exchange: after.number }))
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
  const said = (title: string, message: Message): string =>
    `${title}: ${printContent({ type: 'message', message })}`
  const textOf = ({ fresh, answer }: ReadExchange): string =>
    [
      ...fresh.map((message) => said(message.role, message)),
      said('answer', { ...answer, extra: {} }),
    ].join('\n')
  return makeChange({
    kind: after ? 'added' : 'removed',
    place: { of: 'exchange', exchange: (after ?? before)!.number },
    ...(before ? { before: { type: 'text', text: textOf(before) } } : {}),
    ...(after ? { after: { type: 'text', text: textOf(after) } } : {}),
  })
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
  return alignSequences(keys[0]!, keys[1]!).flatMap(({ recorded, received }) => {
    const [old, current] = [before.slice(...recorded), after.slice(...received)]
    const pairs = pairEdited(old.length, current.length, (i, j) => score(old[i]!, current[j]!))
    return pairs.map(([i, j]): ExchangePair => [old[i ?? -1], current[j ?? -1]])
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

/**
 * Compares two recorded answers as they were sent, without the values that providers generate anew: the model that
 * answered, and all other fields that no dialect reads. `undefined` if one of them was not recorded, or if they are equal.
 */
function diffOnWire(
  before: ReadExchange,
  after: ReadExchange,
): Record<'model' | 'others', PromptChange[]> | undefined {
  const [old, current] = [before, after].map(({ exchange, step }) =>
    isRecorded(exchange) ? foldAnswer(exchange.wire.response, step.dialect ?? '') : undefined,
  )
  if (!old || !current || old.saidItself === current.saidItself) return undefined
  const differences = [
    ...diffNamed(headersOf(before), headersOf(after)),
    ...diffNamed(fieldsOf(old.places), fieldsOf(current.places)),
  ]
  const isModel = ({ place }: PromptChange): boolean => MODEL.test(place.path)
  return {
    model: differences.filter(isModel),
    others: differences.filter((one) => !isModel(one)),
  }
}

/** The headers of an answer that a provider does not send with each. */
function headersOf({ exchange: { wire } }: ReadExchange): JsonObject {
  const said = Object.entries(wire?.response?.headers ?? {}).filter(([name]) =>
    COUNTING_HEADERS.has(name),
  )
  return Object.fromEntries(said.map(([name, value]) => [`header ${name}`, value]))
}

/** The values of an answer by the names of their fields. The events of a stream can repeat a field. */
function fieldsOf(places: ReadonlyMap<string, readonly JsonValue[]>): JsonObject {
  const fields = new Map<string, JsonValue>()
  for (const [place, values] of places) {
    const known = values.filter((value) => !isMark(value))
    if (known.length > 0) fields.set(nameOf(place), known.length === 1 ? known[0]! : [...known])
  }
  return Object.fromEntries(fields)
}

/** The changes of fields by their names, which are for people and stand as they are. */
export function diffNamed(before: JsonObject, after: JsonObject): PromptChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => diffFields(before[name], after[name], name))
}

/** The name of a field, from a place that can begin with the names of its event and the numbers of its parts. */
function nameOf(place: string): string {
  const inEvent = /^[.[]/.test(place) ? place : place.slice(place.lastIndexOf(' ') + 1)
  return inEvent.slice(inEvent.indexOf('.') + 1).replaceAll('"', '') || 'body'
}
