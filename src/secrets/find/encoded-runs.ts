import { gunzipSync, inflateSync } from 'node:zlib'
import { textsIn } from './picture-texts.ts'
import { readUtf8 } from '../../wire/utf8.ts'

/** A piece of a text in base64 or hexadecimal digits, and its decoded text. */
interface EncodedRun {
  start: number
  end: number
  /** `binary` for bytes that are no text: then `decoded` is what stands in them. */
  encoding: 'base64' | 'hex' | 'compressed' | 'binary'
  decoded: string
}

/** Base64 that is long enough to hold a credential; hexadecimal digits take half as much again. */
const MIN_LENGTH = 20

/** The number of characters to decode for a first check for text. A multiple of 4. */
const HEAD = 64

/** The most bytes to unpack: no compressed text in a prompt has more. */
const MAX_UNPACKED = 16 * 2 ** 20

/** Characters that no text holds, and that decoded images hold at once. */
// oxlint-disable-next-line no-control-regex -- asks for control characters
const BINARY = /[\u0000-\u0008\u000e-\u001f\ufffd]/

/** Characters of base64 in both of its alphabets. */
const isBase64 = tableOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')

/**
 * Runs of base64 characters. A loop finds them: a regular expression overflows its stack on one run of megabytes. It
 * looks where a run that begins behind the last one reaches at least, so that it skips most characters.
 */
export function runsIn(text: string, minimum: number = MIN_LENGTH): Array<[number, number]> {
  const runs: Array<[number, number]> = []
  let from = 0
  for (let at = minimum - 1; at < text.length; at = from + minimum - 1) {
    let end = at
    while (end < text.length && isBase64[text.charCodeAt(end)] === 1) end++
    let start = at
    if (end > at) while (start > from && isBase64[text.charCodeAt(start - 1)] === 1) start--
    if (end - start >= minimum) runs.push([start, end])
    from = end + 1
  }
  return runs
}

/** The end of the run of base64 characters that begins at `start`, with its padding. */
export function endOfRun(text: string, start: number): number {
  let at = start
  while (at < text.length && isBase64[text.charCodeAt(at)] === 1) at++
  for (let padding = 0; padding < 2 && text[at] === '='; padding++) at++
  return at
}

/** The run of base64 characters around a span; of a span with line breaks, also the lines before and after it. */
export function runAround(text: string, from: number, to: number): { start: number; end: number } {
  let start = startOfRun(text, from)
  let end = endOfRun(text, to)
  const [line] = /\r?\n/.exec(text.slice(from, to)) ?? []
  if (line === undefined) return { start, end }
  while (start > 0 && text.endsWith(line, start)) {
    const before = startOfRun(text, start - line.length)
    if (before === start - line.length) break
    start = before
  }
  while (text[end - 1] !== '=' && text.startsWith(line, end)) {
    const after = endOfRun(text, end + line.length)
    if (after === end + line.length) break
    end = after
  }
  return { start, end }
}

function startOfRun(text: string, from: number): number {
  let start = from
  while (start > 0 && isBase64[text.charCodeAt(start - 1)] === 1) start--
  return start
}

/** What an encoded text can say, wherever in a group of digits it begins. */
export function* plainReadings(run: string): Generator<string> {
  const digits = run.replaceAll(/[^A-Za-z0-9+/_-]+/g, '')
  for (const encoding of ['hex', 'base64'] as const) {
    if (encoding === 'hex' && !/^[0-9a-f]+$/i.test(digits)) continue
    for (let skipped = 0; skipped < 4; skipped++) {
      const bytes = Buffer.from(digits.slice(skipped), encoding)
      yield digits.slice(0, skipped) + (readUtf8(bytes) ?? bytes.toString('latin1'))
    }
  }
}

/** The beginnings of compressed data in base64 and hexadecimal digits: of gzip, and of zlib at each of its levels. */
const PACKED = /H4sI|e(?:J[w-z]|N[o-r]|A[E-H]|F[4-7])|1[fF]8[bB]08|78(?:9[cC]|01|[dD][aA]|5[eE])/g

/** A cheap check: if it is false, no run is compressed. */
export function mayHoldPacked(text: string): boolean {
  for (const { index } of text.matchAll(PACKED))
    if (index === 0 || isBase64[text.charCodeAt(index - 1)] !== 1) return true
  return false
}

/** The pieces of a text that hold another text in base64 or hexadecimal digits, compressed or not. */
export function encodedRuns(text: string): EncodedRun[] {
  const found: EncodedRun[] = []
  for (const [start, end] of runsIn(text)) {
    const run = decodeRun(text, start, end)
    if (run) found.push(run)
  }
  return found
}

function decodeRun(text: string, start: number, end: number): EncodedRun | undefined {
  const head = text.slice(start, Math.min(end, start + HEAD))
  if (isText(Buffer.from(head, 'base64').toString())) {
    const decoded = Buffer.from(text.slice(start, end), 'base64').toString()
    if (isText(decoded)) return { start, end, encoding: 'base64', decoded }
  }
  if (/^[0-9a-f]+$/i.test(head)) {
    const decoded = Buffer.from(text.slice(start, end), 'hex').toString()
    if (decoded !== '' && isText(decoded)) return { start, end, encoding: 'hex', decoded }
  }
  const decoded = unpack(text.slice(start, end), head)
  if (decoded !== undefined) return { start, end, encoding: 'compressed', decoded }
  const spelled = (/^[0-9a-f]+$/i.test(head) ? ['base64', 'hex'] : ['base64']) as BufferEncoding[]
  const bytes = spelled.map((one) => Buffer.from(text.slice(start, end), one))
  const texts = bytes.map(textsIn).filter(Boolean).join('\n')
  return texts === '' ? undefined : { start, end, encoding: 'binary', decoded: texts }
}

/** Leaves out the last character, which can be cut. */
function isText(decoded: string): boolean {
  return !BINARY.test(decoded.slice(0, -1))
}

/** Recognises gzip and zlib by their first bytes. */
function unpack(run: string, head: string): string | undefined {
  if (head.search(PACKED) !== 0) return undefined
  const encoding = /^[17]/.test(head) ? 'hex' : 'base64'
  const isGzip = /^(?:H|1)/.test(head)
  try {
    const options = { maxOutputLength: MAX_UNPACKED }
    const bytes = Buffer.from(run, encoding)
    const decoded = (isGzip ? gunzipSync(bytes, options) : inflateSync(bytes, options)).toString()
    return isText(decoded) ? decoded : undefined
  } catch {
    return undefined
  }
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}
