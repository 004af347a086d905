import { textsIn } from './picture-texts.ts'

/** The beginning of a list of bytes, as JSON and most programs print it; no credential is shorter. */
const LIST = /(?<![\w.,-])\d{1,3}(?:,\s{0,8}\d{1,3}){7}/

/** The beginning of a `Uint8Array` as JSON writes it, in texts inside of texts too. */
const TYPED = /"0\\{0,16}":\d{1,3},/

/** A cheap check of a request, as it is sent: if it is false, no long list of bytes stands in it. */
export function mayHoldBytes(text: string): boolean {
  return LIST.test(text) || TYPED.test(text)
}

/** A number of a list of bytes, with its position before it if it has one: `115`, `0x73`, `"0":115`. */
const NUMBER =
  /(?<![\w.-])(?:(\\{0,16}")(\d{1,7})(\\{0,16}":)\s?)?(0x[0-9a-f]{1,2}|\d{1,3})(?![\w.-])/gi

/** What stands between two numbers of one list. */
const BETWEEN = /^[,\s]{1,9}$/

/** The fewest numbers whose list is searched for known values, and for whatever can be read. */
const [KNOWN, READ] = [8, 16]

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
  return listsIn(text).flatMap((list) => {
    const [first, second] = list as [RegExpExecArray, RegExpExecArray | undefined]
    const bytes = list.map((number) => Number(number[4]))
    const { index: start } = first
    const between = second ? text.slice(endOf(first), second.index) : ''
    const isPlain = between.startsWith(',') && list.every((number) => /^\d+$/.test(number[4]!))
    if (list.length < KNOWN || !isPlain || !bytes.every(isByte)) return []
    const [, open, position, close] = first
    const spell = (said: string): string =>
      Array.from(Buffer.from(said, 'latin1'), (byte, at) =>
        open === undefined ? byte : `${open}${Number(position) + at}${close}${byte}`,
      ).join(between)
    const said = Buffer.from(bytes).toString('latin1')
    return [{ start, end: endOf(list.at(-1)!), said, spell }]
  })
}

/** The texts that lists of bytes in a text say, however a program prints them, and nothing of other numbers. */
export function bytesPrintedIn(text: string): string[] {
  return listsIn(text).flatMap((list) => {
    const bytes = list.map((number) => Number(number[4]))
    const said = list.length >= READ && bytes.every(isByte) ? textsIn(Buffer.from(bytes)) : ''
    return said === '' ? [] : [said]
  })
}

/** The numbers of a text that stand in a row. A loop finds them: a regular expression overflows its stack on millions. */
function listsIn(text: string): RegExpExecArray[][] {
  const lists: RegExpExecArray[][] = []
  let end = -1
  for (const number of text.matchAll(NUMBER)) {
    const { index } = number
    const isNext = end >= 0 && index - end < 10 && BETWEEN.test(text.slice(end, index))
    if (isNext) lists.at(-1)!.push(number)
    else if (text[index - 1] === ',') continue
    else lists.push([number])
    end = endOf(number)
  }
  return lists
}

function endOf(number: RegExpExecArray): number {
  return number.index + number[0].length
}

function isByte(value: number): boolean {
  return value < 256
}
