import { addressOf, handOver } from './other-dialect/hand-over.ts'
import { otherModelOf, withModel, type ModelMap } from './other-model.ts'
import type { LeftOut, Question } from './question.ts'
import type { Asking } from './rehearsal.ts'

/**
 * What is sent for a question: the recorded request, or the same prompt to another model, in the wire format that it speaks.
 *
 * @param at where the user says that the other model is asked
 */
export function askingOf(question: Question, models: ModelMap, at?: string): Asking | LeftOut {
  const { request, schema, test, cassette, exchange } = question
  const model = otherModelOf(request, models)
  if (model === undefined) return { question, request }
  const address = addressOf(request, model, at)
  if (address === undefined) return { question, request: withModel(request, model) }
  const other = handOver(request, model, address, schema)
  return 'why' in other
    ? { test, cassette, exchange, why: other.why }
    : { question, request: other.request }
}
