import { costOf, type PriceTable } from '../conversation/cost/cost.ts'
import type { Prompt } from '../prompt/prompt.ts'
import type { Body } from '../wire/body.ts'

/** Fewer characters make no token, in any language that models are asked in. */
const CHARS_PER_TOKEN = 3

/** What a picture or another file takes, at most. */
const FILE_TOKENS = 2_000

/** An answer is held to be as long as this, where neither the request nor a recording says otherwise. */
const USUAL_OUTPUT = 1_000

const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens']

/**
 * What a call costs at most, as far as that can be known before; `undefined` where its model has no price.
 *
 * @param before how many tokens answers to such prompts had
 */
export function mostOf(
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
