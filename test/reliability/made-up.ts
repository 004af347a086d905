import { createHash } from 'node:crypto'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const WORD = UPPER + LOWER + DIGITS
const HEX = `${DIGITS}abcdef`

const ALPHABETS: Record<string, string> = {
  word: WORD,
  urlsafe: `${WORD}-_`,
  upper: UPPER + DIGITS,
  capitals: UPPER,
  lower: LOWER + DIGITS,
  letters: UPPER + LOWER,
  hex: HEX,
  HEX: HEX.toUpperCase(),
  base64: `${WORD}+/`,
  base32: `${UPPER}234567`,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  digits: DIGITS,
  password: `${WORD}!@#$%^&*()_+~-=?`,
}

/**
 * A text made from a pattern: `[word 20]` is twenty made-up characters, `#` a hexadecimal digit, `«…»` the
 * base64 of what is in it, and `|` nothing: it keeps scanners of repositories from taking this for a leak.
 *
 * @param seed another makes other characters of the same pattern
 */
export function fill(pattern: string, seed: string): string {
  let piece = 0
  return pattern
    .replaceAll('|', '')
    .replaceAll(/\[(\w+) (\d+)\]|#+/g, (hashes, alphabet: string | undefined, count: string) =>
      alphabet
        ? madeUp(ALPHABETS[alphabet]!, Number(count), `${seed} ${piece++}`)
        : madeUp(HEX, hashes.length, `${seed} ${piece++}`),
    )
    .replaceAll(/«(.*?)»/gs, (_, text: string) => Buffer.from(text).toString('base64'))
}

function madeUp(alphabet: string, count: number, seed: string): string {
  const bytes: number[] = []
  for (let round = 0; bytes.length < count; round++)
    bytes.push(...createHash('sha512').update(`${seed} ${round}`).digest())
  return bytes
    .slice(0, count)
    .map((byte) => alphabet[byte % alphabet.length])
    .join('')
}
