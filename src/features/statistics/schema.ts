import * as z from 'zod/mini'

const count = z.int().check(z.nonnegative())

/** Compiled by the build: few projects have the file, and those who record ask for none of it. */
export const statisticsSchema = z.strictObject({
  version: z.literal(1),
  cassettes: z.record(
    z.string(),
    z.strictObject({
      recording: z.string(),
      attempts: count,
      failures: count,
      failuresInARow: count,
      lastUsed: z.iso.datetime(),
      lastFailures: z.optional(
        z.array(z.strictObject({ at: z.iso.datetime(), reason: z.string() })),
      ),
      invalid: z.optional(z.array(z.string())),
    }),
  ),
})

export type StoredStatistics = z.infer<typeof statisticsSchema>
