import { isRecorded } from '../../cassette/cassette.ts'
import type { PromptChange } from '../../diff/prompt-change.ts'
import { diffFields } from '../../diff/diff-json.ts'
import type { JsonValue } from '../../json/json-value.ts'
import { foldAnswer, isMark } from '../../recording/fold-answer.ts'
import type { ReadExchange } from './read-exchanges.ts'

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
export function diffOnWire(before: ReadExchange, after: ReadExchange): WireDifferences | undefined {
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
