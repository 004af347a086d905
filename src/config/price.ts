import * as z from 'zod/mini'

/** The price of a model, in US dollars for a million tokens. */
export interface Price {
  /** Tokens of the prompt. */
  input: number
  /** Tokens of the answer. */
  output: number
  /** Tokens of the prompt that the provider reads from its cache. @default the price of input */
  cacheRead?: number
  /** Tokens of the prompt that the provider writes to its cache. @default the price of input */
  cacheWrite?: number
}

const dollars = z.number().check(z.nonnegative())

/** Prices by model, as users write them. */
export const pricesSchema = z.record(
  z.string().check(z.minLength(1)),
  z.strictObject({
    input: dollars,
    output: dollars,
    cacheRead: z.optional(dollars),
    cacheWrite: z.optional(dollars),
  }),
)
