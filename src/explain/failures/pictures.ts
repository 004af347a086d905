import { extractBlob } from '../../cassette/encode.ts'
import { printable } from '../../text/printable.ts'
import type { FoundBase64 } from '../../prompt/base64.ts'
import type { PictureComparison } from '../../engine/rare-cases.ts'
import { pairPictures } from '../../features/compare-pictures.ts'
import type { Incoming } from '../../engine/incoming.ts'
import type { Recorded } from '../../engine/recorded.ts'
import { labelled } from '../labelled.ts'
import type { Session } from '../../engine/session.ts'

/** The number of pictures that are shown. */
const MAX_SHOWN = 3

/** A picture of a prompt, to be written to the path that a failure names. */
export interface PictureFile {
  /** The name of the file in the folder of asked pictures. */
  name: string
  bytes: Uint8Array
  /** The path of the picture that was recorded in its place, as the failure shows it. */
  recorded?: string
}

/** The pictures in which a prompt differs from a recorded one, as text and as files. */
interface ShownPictures {
  text: string
  files: PictureFile[]
}

/** Shows both files of each picture that differs from the recorded one, both hashes and their distance. */
export function explainPictures(
  { test, config, pictures }: Session,
  known: Recorded,
  asked: Incoming,
): ShownPictures | undefined {
  const compared = (
    (pictures ? pictures.compare(known, asked) : pairPictures(known, asked)) ?? []
  ).filter((pair) => !pictures?.isAlike(pair))
  if (compared.length === 0) return undefined
  const shown = compared.slice(0, MAX_SHOWN)
  const onlyPictures = known.incoming?.hashBesidePictures === asked.hashBesidePictures
  const lines = shown.flatMap((comparison) => {
    const hashOf = (side: 'recorded' | 'asked'): string =>
      comparison.bits ? `, ${config.images.match} ${printHash(comparison.bits[side])}` : ''
    const said = describe(comparison, config.images.threshold ?? 0)
    return [
      labelled('picture', fileOf(comparison.recorded, test.blobs) + hashOf('recorded')),
      labelled('asked', fileOf(comparison.asked, test.asked) + hashOf('asked')),
      ...(said ? [labelled('distance', printable(said))] : []),
    ]
  })
  if (compared.length > shown.length)
    lines.push(labelled('', `and ${compared.length - shown.length} more`))
  if (!pictures && onlyPictures)
    lines.push('', "If pictures may differ invisibly: images: { match: 'phash' }")
  return { text: lines.join('\n'), files: shown.flatMap(filesOf) }

  function filesOf({ asked, recorded }: PictureComparison): PictureFile[] {
    const [before] = toFile(recorded.base64)
    const named = before && { recorded: `${test.blobs}/${before.name}` }
    return toFile(asked.base64).map((file) => ({ ...file, ...named }))
  }
}

function describe(
  { bits, fault, square }: PictureComparison,
  threshold: number,
): string | undefined {
  const where = square
    ? ` in the square of ${square.side} pixels around ${Math.round(square.centre.x)}, ${Math.round(square.centre.y)}`
    : ''
  const apart = bits && `${bits.distance} of 64 bits${where}`
  if (fault !== undefined) return apart ? `${apart}, but ${fault}` : `none: ${fault}`
  return apart && `${apart}, more than the threshold of ${threshold}`
}

function printHash(hash: bigint): string {
  return hash.toString(16).padStart(16, '0')
}

function fileOf({ base64, hash }: FoundBase64, folder: string): string {
  const [file] = toFile(base64)
  return file ? `${folder}/${file.name}` : `(in the cassette itself, sha256 ${hash.slice(0, 12)})`
}

function toFile(base64: string): PictureFile[] {
  const files: PictureFile[] = []
  extractBlob(base64, (name, bytes) => files.push({ name, bytes }))
  return files
}
