import { isRecorded, type Cassette } from '../../cassette/cassette.ts'
import { type PriceTable, usageOf, type UsageTotal } from '../../conversation/cost.ts'
import { readSteps } from '../../conversation/step.ts'
import { dialectOf } from '../../providers/dialects.ts'
import { Params } from '../../conversation/params.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { Prompt } from '../../prompt/prompt.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { textOf } from '../../wire/body.ts'
import type { WireRequest } from '../../wire/message.ts'
import type { Behaviour } from './compare-behaviour.ts'
import { isRefusal } from './refusal.ts'
import { responseSchemaOf } from './response-schema.ts'
import { whyNotAsked } from './why-not-asked.ts'

/** A recorded exchange. */
export interface ExchangePlace {
  /** The name of the test in the cassette. */
  test: string
  /** The path of the cassette, relative to the working directory of the user. */
  cassette: string
  /** `exchange-1`, … */
  exchange: string
}

/** A recorded prompt that can be asked again, and its recorded answer. */
export interface Question extends ExchangePlace {
  request: WireRequest
  prompt: Prompt
  before: Behaviour
  /** The response schema of the request. */
  schema?: JsonObject
  /** The usage of the recorded answer. */
  took: UsageTotal
}

/** A recorded prompt that cannot be asked again. */
export interface LeftOut extends ExchangePlace {
  why: string
}

/** Reads the prompts of a cassette that can be asked again, and those that cannot. */
export function readQuestions(
  name: string,
  cassette: Cassette,
  prices: PriceTable,
): { questions: Question[]; leftOut: LeftOut[] } {
  const questions: Question[] = []
  const leftOut: LeftOut[] = []
  const params = new Params(cassette.params)
  for (const step of readSteps(cassette)) {
    const { exchange, prompt, completion } = step
    const place = { test: cassette.conversationId, cassette: name, exchange: exchange.id }
    const why = whyNotAsked(step)
    if (why !== undefined) leftOut.push({ ...place, why })
    if (why !== undefined || !isRecorded(exchange)) continue
    // Parameters that a test declares get the values of the recording.
    const request = params.show(exchange.wire.request)
    const response = params.show(exchange.wire.response)
    const before = params.none ? completion : dialectOf(request).readCompletion(response)
    const schema = responseSchemaOf(request)
    questions.push({
      ...place,
      request,
      prompt,
      before: { completion: before, isRefusal: isRefusal(before, response) },
      ...(schema ? { schema } : {}),
      took: usageOf(step, prices),
    })
  }
  return { questions, leftOut }
}

/** The key of a request. Questions with equal requests share it, and are asked once. */
export function keyOf({ request }: Pick<Question, 'request'>): string {
  const { method, url, headers = {}, body } = request
  return sha256(JSON.stringify([method, url, headers, textOf(body)])).slice(0, 24)
}
