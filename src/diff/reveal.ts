import { writeOut, writeOutUnseen } from '../text/printable.ts'

/** Blanks that are no ordinary space; private, unassigned and formatting characters, which fonts draw as they like. */
const ODD = /[[\p{Zs}\p{Cf}\p{Co}\p{Cn}\u2800]--[\p{DI} ]]/gv

/** All blanks and invisible characters. The middle dot is here because it stands for a space. */
const BLANKS = /[\u{e0020}-\u{e007e}]{2,}|[\s·\p{DI}\p{Cf}\p{Co}\p{Cn}\u2800]/gu

/** Letters and signs that most fonts draw like the one at the same place below. */
const ALIKE = 'аеорсухіјѕԁӏАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧογν‘’‚‛′ʼ“”„‟″‐–—―−∕⁄∶'
const PLAIN = "aeopcyxijsdlABEKMHOPCTYXIJSABEZHIKMNOPTYXoyv''''''\"\"\"\"\"-----//:"
const LOOK_ALIKES: Map<string, string> = new Map(
  [...ALIKE].map((character, index) => [character, PLAIN[index]!]),
)

/**
 * Writes two opposite texts so that they look different: shows blanks if only blanks differ, and code points if
 * characters look alike.
 */
export function revealPair(removed: string, added: string): [string, string] {
  const [old, current] = [removed.replace(BLANKS, ''), added.replace(BLANKS, '')]
  if (old === current) return [revealBlanks(removed), revealBlanks(added)]
  if (appearance(old) === appearance(current)) {
    return [revealForeign(removed), revealForeign(added)]
  }
  return [revealOddBlanks(removed), revealOddBlanks(added)]
}

/** The text with invisible characters written out; ordinary spaces stay as they are. */
export function revealOddBlanks(text: string): string {
  return writeOutUnseen(text).replace(ODD, writeOut)
}

/** The text with every blank visible: `·` for a space, `\n` before a line break. */
function revealBlanks(text: string): string {
  return text.replace(BLANKS, (blank) => {
    if (blank === ' ') return '·'
    return blank === '\n' ? '\\n\n' : writeOut(blank)
  })
}

function revealForeign(text: string): string {
  return revealBlanks(text).replace(/[^\n\x20-\x7e·]/gu, writeOut)
}

/** The look of a text in most fonts: two texts with one appearance are easily confused. */
export function appearance(text: string): string {
  const folded = text.normalize('NFKC').replace(/\p{DI}/gu, '')
  return [...folded].map((character) => LOOK_ALIKES.get(character) ?? character).join('')
}
