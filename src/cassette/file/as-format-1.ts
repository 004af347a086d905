import { encodeCassette } from '../encode.ts'
import { printCassette } from '../format.ts'
import { decodeFile } from './decode.ts'
import { parseFile } from './parse.ts'

/**
 * A file of version 2 as one of version 1.3, which everything else reads until it is written as version 2.
 *
 * @param load reads a file of the folder `blobs`
 */
export function asFormat1(bytes: Buffer, load: (name: string) => Buffer): Buffer {
  const file = parseFile(bytes.toString())
  return Buffer.from(printCassette(encodeCassette(decodeFile(file, load), '').stored))
}
