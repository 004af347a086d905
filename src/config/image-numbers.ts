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
