import type { WireRequest } from '../../wire/message.ts'
import { addressOfModel, translate } from './other-dialect.ts'
import { otherModelOf, withModel, type ModelMap } from '../../features/other-model.ts'
import type { LeftOut, Question } from './question.ts'

/** A question and the request that is sent for it, to its own model or to another. */
export interface Asking {
  question: Question
  request: WireRequest
}

/**
 * Makes the request of a question: the recorded one, or the same prompt to another model in its wire format.
 *
 * @param at the address of the other model, if the user names one
 */
export function askingOf(question: Question, models: ModelMap, at?: string): Asking | LeftOut {
  const { request, schema, test, cassette, exchange } = question
  const model = otherModelOf(request, models)
  if (model === undefined) return { question, request }
  const address = addressOfModel(request, model, at)
  if (address === undefined) return { question, request: withModel(request, model) }
  const other = translate(request, model, address, schema)
  return 'why' in other
    ? { test, cassette, exchange, why: other.why }
    : { question, request: other.request }
}
