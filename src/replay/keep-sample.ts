import type { SealedFile } from './sealed-file.ts'

/**
 * Leaves all samples of a file but one out; `undefined` where a recording has that one not in one piece, or not at all.
 *
 * @param label what stands before the number of the sample to which an exchange belongs
 */
export function keepSample(
  file: SealedFile,
  sample: number,
  label: string,
): SealedFile | undefined {
  const samples = file.hashes.map((_, place) => {
    const [, text = ''] = file.exchange(place).split(label)
    return parseInt(text) || 1
  })
  const from = samples.indexOf(sample)
  const end = samples.lastIndexOf(sample) + 1
  if (from < 0 || samples.slice(from, end).some((one) => one !== sample)) return undefined
  file.from = from
  file.hashes = file.hashes.slice(from, end)
  return file
}
