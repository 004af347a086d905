import * as z from 'zod/mini'
import { isRegion, isThreshold } from './image-numbers.ts'

/** How pictures in prompts compare. */
export interface ImageOptions {
  /**
   * - `exact`: by their content
   * - `phash`: by 64 bits that describe the shapes and their places
   * - `ahash`: by 64 bits that describe light and dark places; coarser
   * - `ignore`: not at all, as long as their number and types are the same; the summary of the run counts them
   */
  match: 'exact' | 'phash' | 'ahash' | 'ignore'
  /**
   * The number of 64 bits in which two pictures may differ and still match. An empty page can differ from a full one
   * in 15.
   * @default 0
   */
  threshold?: number
  /**
   * The side in pixels of a square around the point that a tool call names after the picture, in the prompt or in the
   * recorded answer: only the content of the square counts. If no call names a point, the whole picture counts.
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
