import { costOf, type PriceTable } from '../conversation/cost/cost.ts'
import type { Prompt } from '../prompt/prompt.ts'
import type { Body } from '../wire/body.ts'

/** The assumed minimum of characters in a token. */
const CHARS_PER_TOKEN = 3

/** The assumed maximum of tokens of a picture or another file. */
const FILE_TOKENS = 2_000

/** The assumed tokens of an answer, unless the request limits them or recorded answers are longer than half of that. */
const USUAL_OUTPUT = 1_000

const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens']

/**
 * The estimated maximum cost of a call; `undefined` where its model has no price.
 *
 * @param before the output tokens of recorded answers
 */
export function highestCost(
  { model, parameters }: Pick<Prompt, 'model' | 'parameters'>,
  body: Body,
  before: readonly number[],
  prices: PriceTable,
): number | undefined {
  const likely = Math.max(USUAL_OUTPUT, 2 * Math.max(0, ...before))
  const limit = LIMITS.map((name) => parameters[name]).find((value) => typeof value === 'number')
  const usage = {
    inputTokens: inputOf(body),
    outputTokens: Math.min(likely, limit === undefined ? Infinity : Number(limit)),
  }
  return costOf(model, usage, prices)
}

function inputOf(body: Body): number {
  const text = JSON.stringify(body)
  const files = text.match(/[A-Za-z0-9+/_-]{2000,}/g) ?? []
  const rest = files.reduce((length, file) => length - file.length, text.length)
  return Math.ceil(rest / CHARS_PER_TOKEN) + files.length * FILE_TOKENS
}
