import * as z from 'zod/mini'
import { isRegion, isThreshold } from './image-numbers.ts'

/** How pictures in prompts compare. */
export interface ImageOptions {
  /**
   * - `exact`: by their content
   * - `phash`: by 64 bits that say which shapes are where
   * - `ahash`: by 64 bits that say where it is light and where dark; coarser
   * - `ignore`: not at all, as long as there are as many; the summary of the run counts them
   */
  match: 'exact' | 'phash' | 'ahash' | 'ignore'
  /**
   * In how many of 64 bits two pictures may differ and still be the same. An empty page can differ from a
   * full one in 15.
   * @default 0
   */
  threshold?: number
  /**
   * The side in pixels of a square around the point that a tool call names after the
   * picture, in the prompt or in the recorded answer: only what is in the square counts. Where no call
   * names a point, the whole picture does.
   */
  region?: number
}

export const thresholdSchema: z.ZodMiniType<number> = z.custom<number>(
  isThreshold,
  'a whole number from 0 to 64, the bits of a hash',
)

export const regionSchema: z.ZodMiniType<number> = z.custom<number>(
  isRegion,
  'a whole number of pixels, from 1',
)

export const imagesSchema: z.ZodMiniType<ImageOptions> = z.strictObject({
  match: z.enum(['exact', 'phash', 'ahash', 'ignore']),
  threshold: z.optional(thresholdSchema),
  region: z.optional(regionSchema),
})
