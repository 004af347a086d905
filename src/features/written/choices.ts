import type { PromptSummary, ToolCallSummary } from '../../cassette/cassette.ts'
import { writtenCompletion } from '../../conversation/step.ts'
import type { Incoming } from '../../engine/incoming.ts'
import { dialectFor, promptFor } from '../../engine/read-prompt.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Dialect } from '../../providers/dialect.ts'
import { arrayOf, numberOf, objectOf } from '../../providers/fields.ts'
import { meansSame, nameAsked, valueAsked } from '../../providers/parameter-names.ts'
import type { Body } from '../../wire/body.ts'
import type { WireResponse } from '../../wire/message.ts'
import { withIds } from './traced.ts'

/**
 * The answer of a call in a trace: its calls have the ids of the trace, and it has as many of the further choices in
 * the trace as the request asks for. A format whose answers have one choice gets the first.
 */
export function writeTraced(
  first: Completion,
  { metadata: { traced } }: PromptSummary,
  incoming: Incoming,
): WireResponse {
  const told = isJsonObject(traced) ? traced : {}
  const dialect = dialectFor(incoming)
  const write = (completion: Completion): WireResponse =>
    dialect.writeCompletion!(completion, incoming.wire)
  const answer = write(withIds(first, told.call_ids))
  const isWhole = first.error === undefined && !first.incomplete
  if (!dialect.choices || !isWhole) return answer
  const others = arrayOf(told.choices).filter(isJsonObject)
  const asked = choicesAsked(promptFor(incoming).parameters)
  const given = others.slice(0, Math.max(0, asked - 1)).map((one) => write(completionOf(one)).body)
  if (given.length === 0) return answer
  return { ...answer, body: PUT[dialect.choices](answer.body, given) }
}

/** Whether a parameter of a trace counts for a request that lacks it. */
export function countsUnsent(
  [name, value]: [string, JsonValue],
  traced: JsonValue,
  dialect: Dialect,
): boolean {
  const ifSent = isJsonObject(traced) ? arrayOf(traced.if_sent) : []
  if (ifSent.includes(name)) return false
  // Who does not say how many choices there are to be asks for one.
  return name !== COUNT || (dialect.choices !== undefined && !meansSame(value, 1))
}

/** The name under which a trace tells how many choices were asked for. */
const COUNT = 'n'

/** How many choices a request asks for. */
function choicesAsked(parameters: JsonObject): number {
  const name = nameAsked(COUNT, parameters)
  return (name === undefined ? undefined : numberOf(valueAsked(name, parameters))) ?? 1
}

/** A further choice of a trace: an answer without its usage, which the first has for all. */
function completionOf({ text, reasoning, tool_calls: listed }: JsonObject): Completion {
  const calls = arrayOf(listed) as unknown as Array<ToolCallSummary & { id?: string }>
  const response = {
    text: typeof text === 'string' ? text : '',
    ...(typeof reasoning === 'string' ? { reasoning } : {}),
    tool_calls: calls,
  }
  return withIds(
    writtenCompletion(response),
    calls.map(({ id = null }) => id),
  )
}

/** How each format puts further choices beside the first. */
const PUT: Record<NonNullable<Dialect['choices']>, PutChoices> = {
  choices: (first, others) => {
    const choices = others.flatMap((body, place) => numbered(choicesIn(body, 'choices'), place))
    // A chunk has one choice: some clients read only the first of each.
    return first.kind === 'events'
      ? withChunks(first, choices)
      : withChoices(first, 'choices', choices)
  },
  candidates: (first, others) => {
    // Clients read the text of a piece from its first candidate: the others come whole, with the last piece.
    const whole = others.flatMap((body, place) =>
      numbered([joined(choicesIn(body, 'candidates'))], place),
    )
    return withChoices(first, 'candidates', whole)
  },
}

type PutChoices = (first: Body, others: readonly Body[]) => Body

function numbered(choices: readonly JsonObject[], place: number): JsonObject[] {
  return choices.map((one) => ({ ...one, index: place + 1 }))
}

/** The pieces of a candidate as one. */
function joined(pieces: readonly JsonObject[]): JsonObject {
  const parts = pieces.flatMap(({ content }) => arrayOf(objectOf(content).parts))
  return { ...pieces.at(-1), content: { parts, role: 'model' } }
}

/** Chunks with one choice each, before the one with which the first choice ends. */
function withChunks(body: Body, choices: readonly JsonObject[]): Body {
  const values = valuesIn(body)
  const end = endOf(values, 'choices')
  const { usage: _, ...head } = objectOf(values[end])
  const chunks = choices.map((one) => ({ ...head, choices: [one] }))
  return withValues(body, values.toSpliced(end, 0, ...chunks))
}

/** Choices in the value with which the first choice ends. */
function withChoices(body: Body, field: string, choices: readonly JsonObject[]): Body {
  const values = valuesIn(body)
  const end = endOf(values, field)
  const last = objectOf(values[end])
  return withValues(
    body,
    values.with(end, { ...last, [field]: [...arrayOf(last[field]), ...choices] }),
  )
}

function choicesIn(body: Body, field: string): JsonObject[] {
  return valuesIn(body).flatMap((value) => arrayOf(objectOf(value)[field]).map(objectOf))
}

function endOf(values: readonly JsonValue[], field: string): number {
  return values.findLastIndex((value) => arrayOf(objectOf(value)[field]).length > 0)
}

/** The values of a written body: one, those of an array, or those of its events. */
function valuesIn(body: Body): JsonValue[] {
  if (body.kind === 'events')
    return body.events.map((event) => (typeof event === 'string' ? event : event.data))
  return body.kind === 'json' ? [body.value].flat() : []
}

function withValues(body: Body, values: JsonValue[]): Body {
  if (body.kind === 'events') return { ...body, events: values.map((data) => ({ data })) }
  if (body.kind !== 'json') return body
  return { ...body, value: Array.isArray(body.value) ? values : values[0]! }
}
