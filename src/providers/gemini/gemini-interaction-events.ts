import { tryParseJson, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { AnswerEvent, JoinedAnswer } from '../kit/read-answer.ts'
import { isPlainText } from '../content.ts'
import { Drafts } from '../kit/drafts.ts'
import { arrayOf, known, numberOf, objectOf, stringOf } from '../fields.ts'

/** One step of a streamed interaction, as received so far. */
interface Draft {
  step: JsonObject
  content: JsonValue[]
  summary: JsonValue[]
  /** The JSON text of a call's arguments. */
  input: string
}

/** Joins the events of a streamed interaction into one interaction. */
export function joinInteractionEvents(events: AnswerEvent[]): JoinedAnswer {
  const drafts = new Drafts<Draft>()
  let interaction: JsonObject = {}
  let whole = false
  for (const { type: name, data } of events) {
    const type = stringOf(data.event_type) ?? name
    // An interaction that continues ends more than once.
    whole = whole || type === 'interaction.completed'
    interaction = { ...interaction, ...known(objectOf(data.interaction)) }
    const index = numberOf(data.index) ?? 0
    if (type === 'step.start') drafts.set(index, newDraft(objectOf(data.step)))
    if (type === 'step.delta') addTo(drafts.at(index, newDraft), objectOf(data.delta))
  }
  // The last event has the steps only if they are few.
  const steps =
    arrayOf(interaction.steps).length > 0 ? interaction.steps! : drafts.inOrder().map(stepOf)
  return { body: { ...interaction, ...(whole ? {} : { status: null }), steps }, whole }
}

function newDraft(step: JsonObject = {}): Draft {
  return {
    step,
    content: [...arrayOf(step.content)],
    summary: [...arrayOf(step.summary)],
    input: '',
  }
}

function addTo(draft: Draft, delta: JsonObject): void {
  const { type, content, ...fields } = delta
  if (type === 'text') append(draft.content, delta)
  else if (type === 'thought_summary') append(draft.summary, objectOf(content))
  else if (type === 'arguments_delta') draft.input += stringOf(delta.arguments) ?? ''
  else if (type === 'thought_signature' || content === undefined)
    draft.step = { ...draft.step, ...fields }
  else draft.content.push(delta)
}

/** Appends a text to the last one. */
function append(list: JsonValue[], piece: JsonObject): void {
  const last = list.at(-1)
  if (isPlainText(last) && isPlainText(piece)) {
    list[list.length - 1] = { ...last, text: last.text + piece.text }
  } else list.push(piece)
}

function stepOf({ step, content, summary, input }: Draft): JsonObject {
  return {
    ...step,
    ...(content.length > 0 ? { content } : {}),
    ...(summary.length > 0 ? { summary } : {}),
    ...(input === '' ? {} : { arguments: tryParseJson(input) ?? input }),
  }
}
