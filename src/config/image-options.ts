import * as z from 'zod/mini'

/** An empty page differs from a full one in 15 of 64 bits and more: beyond this any picture would pass. */
const MAX_THRESHOLD = 10

/** How pictures in prompts compare. */
export interface ImageOptions {
  /**
   * - `exact`: by their content
   * - `phash`: by 64 bits that say which shapes are where
   * - `ahash`: by 64 bits that say where it is light and where dark; coarser
   */
  match: 'exact' | 'phash' | 'ahash'
  /**
   * In how many of 64 bits two pictures may differ and still be the same; 10 at most.
   * @default 0
   */
  threshold?: number
  /**
   * The side in pixels, 16 at least, of a square around the point that a tool call names after the
   * picture, in the prompt or in the recorded answer: only what is in the square counts. Where no call
   * names a point, the whole picture does.
   */
  region?: number
}

export const imagesSchema: z.ZodMiniType<ImageOptions> = z.strictObject({
  match: z.enum(['exact', 'phash', 'ahash']),
  threshold: z.optional(z.int().check(z.gte(0), z.lte(MAX_THRESHOLD))),
  region: z.optional(z.int().check(z.gte(16))),
})
