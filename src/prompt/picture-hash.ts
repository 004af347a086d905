/** The side of the squares of grey pixels that pictures are hashed from. */
export const HASHED_SIDE = 32

/** The bits of a hash lie in a square of this side: 64 of them. */
const SIDE = 8

/**
 * Waves that are stronger than the median by less than this do not count: they rise and fall by one or two
 * of 255 shades of grey. Around the middle of a button, which is its own mirror image, half of all waves are
 * so weak, and one pixel would turn them all.
 */
const FAINT = 512

/** The tolerance for rounding errors in a mean. */
const ROUNDING = 1e-6

/**
 * The perceptual hash: which of the 64 slowest waves of a picture are stronger than their median.
 * Brightness, contrast and single pixels leave it nearly as it is; shapes that move do not.
 *
 * @param grey 32×32 pixels, 0 to 255, row by row
 */
export function perceptualHash(grey: ArrayLike<number>): bigint {
  const waves = slowestWaves(grey)
  // The first is the brightness of the whole, which would outweigh all others.
  const median = medianOf(waves.slice(1))
  return toBits(waves.map((wave) => wave > median + FAINT))
}

/**
 * The average hash: which of the 8×8 fields of a picture are brighter than their mean. Coarser than the
 * perceptual hash, and steadier.
 *
 * @param grey 32×32 pixels, 0 to 255, row by row
 */
export function averageHash(grey: ArrayLike<number>): bigint {
  const field = HASHED_SIDE / SIDE
  const fields = Array.from({ length: SIDE * SIDE }, () => 0)
  for (let at = 0; at < HASHED_SIDE * HASHED_SIDE; at++) {
    const [x, y] = [at % HASHED_SIDE, Math.floor(at / HASHED_SIDE)]
    fields[Math.floor(y / field) * SIDE + Math.floor(x / field)]! += grey[at]! / field ** 2
  }
  const mean = fields.reduce((sum, value) => sum + value, 0) / fields.length
  return toBits(fields.map((value) => value > mean + ROUNDING))
}

/** The number of their 64 bits in which two hashes differ. */
export function hammingDistance(one: bigint, other: bigint): number {
  let distance = 0
  for (let rest = one ^ other; rest > 0n; rest &= rest - 1n) distance++
  return distance
}

/** The 8×8 lowest frequencies of the discrete cosine transform, row by row. */
function slowestWaves(grey: ArrayLike<number>): number[] {
  const rows = Array.from({ length: HASHED_SIDE }, (_, y) =>
    Array.from({ length: SIDE }, (_, u) => sumOver((x) => grey[y * HASHED_SIDE + x]! * wave(u, x))),
  )
  return Array.from({ length: SIDE * SIDE }, (_, at) => {
    const [u, v] = [at % SIDE, Math.floor(at / SIDE)]
    return sumOver((y) => rows[y]![u]! * wave(v, y))
  })
}

function sumOver(term: (index: number) => number): number {
  let sum = 0
  for (let index = 0; index < HASHED_SIDE; index++) sum += term(index)
  return sum
}

function wave(frequency: number, place: number): number {
  return Math.cos(((2 * place + 1) * frequency * Math.PI) / (2 * HASHED_SIDE))
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1]!
}

function toBits(bits: readonly boolean[]): bigint {
  return BigInt(`0b${bits.map((bit) => (bit ? '1' : '0')).join('')}`)
}
