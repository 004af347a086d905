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

/** The bits of a hash of a picture. */
const BITS = 64

/** True for a number of bits that two hashes can differ in. */
export function isThreshold(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= BITS
}

/** True for the side of a square in pixels. */
export function isRegion(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1
}
