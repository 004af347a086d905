import * as z from 'zod/mini'

/** What a model costs, in US dollars for a million tokens. */
export interface Price {
  input: number
  output: number
  /** @default the price of input */
  cacheRead?: number
  /** @default the price of input */
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
