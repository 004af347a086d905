import { refuseOldPackage, versionOf } from './old-package.ts'
import { requireFrom } from '../real/load-later.ts'
import { CassetteError } from '../errors.ts'
import { HASHED_SIDE } from '../prompt/picture-hash.ts'
import type { Square } from '../engine/rare-cases.ts'

/** The visible features of a picture. */
export interface Sight {
  /** Of the whole picture, in pixels, after its orientation is applied. */
  width: number
  height: number
  /** The mean of red, green and blue, 0 to 255. */
  tone: readonly [number, number, number]
  /** 32×32 pixels, 0 to 255, row by row. */
  grey: readonly number[]
}

/** The reason why a picture cannot be looked at. */
export interface Blind {
  fault: string
}

/** A screenshot of a large display has 15 million; a small file can claim any number. */
const MAX_PIXELS = 50_000_000

/** `require` instead of `import`: pools that run tests in a vm cannot pass a native addon from one test to the next. */
const load = requireFrom(import.meta.url)

/**
 * Looks at a picture, or at a square of it; at the whole picture if the centre lies outside of it.
 *
 * @throws CassetteError `invalid-option` where the package `sharp` is missing.
 */
export async function lookAtPicture(base64: string, square?: Square): Promise<Sight | Blind> {
  const sharp = loadSharp()
  try {
    const image = sharp(Buffer.from(base64, 'base64'), {
      limitInputPixels: MAX_PIXELS,
      autoOrient: true,
    })
    const { pages = 1, autoOrient } = await image.metadata()
    if (pages > 1) return { fault: 'is animated' }
    const { width, height } = autoOrient
    const area = square && cutOut(square, width, height)
    if (area) image.extract(area)
    const pixels = await image
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .resize(HASHED_SIDE, HASHED_SIDE, { fit: 'fill' })
      .raw()
      .toBuffer()
    return { width, height, ...readPixels(pixels) }
  } catch (error) {
    return { fault: `cannot be read: ${(error as Error).message.split('\n')[0]}` }
  }
}

function cutOut(
  { centre, side }: Square,
  width: number,
  height: number,
): { left: number; top: number; width: number; height: number } | undefined {
  const { plane = { width, height } } = centre
  const [x, y] = [(centre.x * width) / plane.width, (centre.y * height) / plane.height]
  if (x < 0 || y < 0 || x >= width || y >= height) return undefined
  const [left, right] = [x - side / 2, x + side / 2].map((edge) => clamp(Math.round(edge), width))
  const [top, bottom] = [y - side / 2, y + side / 2].map((edge) => clamp(Math.round(edge), height))
  return { left: left!, top: top!, width: right! - left!, height: bottom! - top! }
}

function clamp(edge: number, end: number): number {
  return Math.min(Math.max(edge, 0), end)
}

function readPixels(pixels: Uint8Array): Pick<Sight, 'tone' | 'grey'> {
  const count = HASHED_SIDE * HASHED_SIDE
  const tone: [number, number, number] = [0, 0, 0]
  const grey = Array.from({ length: count }, (_, at) => {
    const [red, green, blue] = pixels.subarray(3 * at) as unknown as [number, number, number]
    tone[0] += red / count
    tone[1] += green / count
    tone[2] += blue / count
    return 0.299 * red + 0.587 * green + 0.114 * blue
  })
  return { tone, grey }
}

function loadSharp(): typeof import('sharp').default {
  let sharp: typeof import('sharp').default
  try {
    sharp = load('sharp') as typeof sharp
  } catch (error) {
    throw new CassetteError(
      'invalid-option',
      'images: the package sharp, which compares pictures by their look, cannot be loaded.\n' +
        'Install it with "npm install --save-dev sharp", or set images: { match: \'exact\' }.',
      { cause: error },
    )
  }
  // The releases from 0.33 on say their version, and keep package.json to themselves later.
  const version = sharp.versions.sharp ?? versionOf('sharp')
  refuseOldPackage('sharp', version, [0, 34], {
    use: 'images: the comparison of pictures by their look',
    code: 'invalid-option',
  })
  return sharp
}
