import { textsIn } from './picture-texts.ts'

/** A space, as a text inside of texts spells it too. */
const SPACE = String.raw`(?:\s|\\{1,16}[nrt])`

/** How far the numbers of a list stand apart at most: each on a line of its own, in a deep object. */
const APART = 64

/** The beginning of a list of bytes, as JSON and most programs print it; no credential is shorter. */
const LIST = new RegExp(
  String.raw`(?<![\d_.,-])(?<!(?<!\\)[A-Za-z])\d{1,3}(?:,${SPACE}{0,${APART}}\d{1,3}){7}`,
)

/** Two numbers of a `Uint8Array` as JSON writes it, in texts inside of texts too. */
const TYPED = new RegExp(
  String.raw`"\d{1,7}\\{0,16}":${SPACE}?\d{1,3},${SPACE}{0,${APART}}\\{0,16}"\d`,
)

/** A cheap check of a request, as it is sent: if it is false, no long list of bytes stands in it. */
export function mayHoldBytes(text: string): boolean {
  return text.includes(',') && (LIST.test(text) || TYPED.test(text))
}

/** A number of a list of bytes, with its position before it if it has one: `115`, `0x73`, `"0":115`. */
const NUMBER =
  /(?<![\w.-])(?:(\\{0,16}")(\d{1,7})(\\{0,16}":)\s?)?(0x[0-9a-f]{1,2}|\d{1,3})(?![\w.-])/gi

/** What stands between two numbers of one list. */
const BETWEEN = new RegExp(String.raw`^[,\s]{1,${APART}}$`)

/** The fewest numbers whose list is searched: for known values, and for whatever can be read. */
const [KNOWN, READ] = [8, 16]

/** What a list consists of: numbers, their positions, and what stands between them. */
const PART = /[\da-fx,\s"\\:]/i
const PARTS = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(PART.test(String.fromCharCode(code))),
)

/** A cheap check: whether so many numbers can stand in a row. Jumps from one character that stands in no list to the next. */
function mayHoldRow(text: string, fewest: number): boolean {
  const length = 2 * fewest - 1
  for (let end = length - 1; end < text.length;) {
    let at = end
    while (at > end - length && isPart(text, at)) at--
    if (at === end - length) return true
    end = at + length
  }
  return false
}

function isPart(text: string, at: number): boolean {
  return (PARTS[text.charCodeAt(at)] ?? Number(PART.test(text[at]!))) === 1
}

/** A list of bytes that a text prints. */
interface PrintedBytes {
  start: number
  end: number
  /** What it says, one character for each number. */
  said: string
  /** Prints another text in the same way. */
  spell(said: string): string
}

/** The lists of bytes that a text prints with commas, which may be replaced. */
export function printedBytes(text: string): PrintedBytes[] {
  return listsIn(text, KNOWN).flatMap(({ first, start, end, bytes, between, isDecimal }) => {
    if (!isDecimal || !between.startsWith(',')) return []
    const [, open, position, close] = first
    const spell = (said: string): string =>
      Array.from(Buffer.from(said, 'latin1'), (byte, at) =>
        open === undefined ? byte : `${open}${Number(position) + at}${close}${byte}`,
      ).join(between)
    return [{ start, end, said: Buffer.from(bytes).toString('latin1'), spell }]
  })
}

/** The texts that lists of bytes in a text say, however a program prints them, and nothing of other numbers. */
export function bytesPrintedIn(text: string): string[] {
  return listsIn(text, READ).flatMap(({ bytes }) => {
    const said = textsIn(Buffer.from(bytes))
    return said === '' ? [] : [said]
  })
}

/** Numbers that stand in a row. */
interface List {
  start: number
  end: number
  bytes: number[]
  /** What stands between the first two. */
  between: string
  isDecimal: boolean
  first: RegExpExecArray
}

/** The rows of bytes in a text. A loop finds them: a regular expression overflows its stack on millions. */
function listsIn(text: string, fewest: number): List[] {
  if (!mayHoldRow(text, fewest)) return []
  const lists: List[] = []
  let last: List | undefined
  for (const number of text.matchAll(NUMBER)) {
    const { 0: whole, 4: digits, index: start } = number
    const end = start + whole.length
    const between = last && start - last.end <= APART ? text.slice(last.end, start) : ''
    const isNext = BETWEEN.test(between)
    if (!isNext && text[start - 1] === ',') continue
    const value = Number(digits)
    const isDecimal = /^\d+$/.test(digits!)
    if (last && isNext) {
      if (last.bytes.length === 1) last.between = between
      last.bytes.push(value)
      last.end = end
      last.isDecimal &&= isDecimal
    } else
      lists.push((last = { start, end, bytes: [value], between: '', isDecimal, first: number }))
  }
  return lists.filter(({ bytes }) => bytes.length >= fewest && bytes.every((value) => value < 256))
}
