import { writeOut } from './harmless.ts'

/** Characters that show nothing; format characters, private and unassigned ones among them. */
const INVISIBLE =
  '\\t\\r\\p{Cf}\\p{Co}\\p{Cn}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u2800\\u3164\\uffa0'

/** What joins letters and emoji is left alone, unless nothing else differs. */
const JOINERS = '\\u200c\\u200d\\ufe0e\\ufe0f'

const ODD_BLANKS = new RegExp(`(?![ ${JOINERS}])[\\p{Zs}${INVISIBLE}]`, 'gu')

/** The middle dot is here because it stands for a space. */
const BLANKS = new RegExp(`[\\s·${JOINERS}${INVISIBLE}]`, 'gu')

/** Letters and signs that most fonts draw like the one at the same place below. */
const ALIKE = 'аеорсухіјѕԁӏАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧογν‘’‚‛′ʼ“”„‟″‐–—―−∕⁄∶'
const PLAIN = "aeopcyxijsdlABEKMHOPCTYXIJSABEZHIKMNOPTYXoyv''''''\"\"\"\"\"-----//:"
const LOOK_ALIKES: Map<string, string> = new Map(
  [...ALIKE].map((character, index) => [character, PLAIN[index]!]),
)

/**
 * Two texts that stand opposite each other, written so that they do not look the same: blanks where
 * only blanks differ, code points where characters look alike.
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
  return text.replace(ODD_BLANKS, writeOut)
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

/** What a text looks like in most fonts: two texts with one appearance are easily mistaken. */
export function appearance(text: string): string {
  const folded = text.normalize('NFKC')
  return [...folded].map((character) => LOOK_ALIKES.get(character) ?? character).join('')
}
