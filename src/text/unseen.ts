/** Scripts whose letters are joined or kept apart by the two joiners. */
const JOINED =
  'Arab Syrc Mand Mong Nkoo Adlm Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr Thai Laoo Java Bali'
    .split(' ')
    .map((script) => `\\p{scx=${script}}`)
    .join('')

/** The flags of England, Scotland and Wales are a black flag and invisible letters. */
const FLAG =
  '(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}'

/** Places where an invisible character is a part of a visible one: emoji, signs and letters of many scripts. */
const BELONGING = [
  FLAG,
  '(?<=\\p{ExtPict}|[\\u{1f1e6}-\\u{1f1ff}]|\\p{Sm})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{ExtPict}\\p{EMod}?\\ufe0f?)\\u200d(?=\\p{ExtPict})',
  `(?<=[${JOINED}])[\\u200c\\u200d](?!\\p{DI})`,
  '(?<=\\p{sc=Mong})[\\u180b-\\u180f]',
  '(?<=\\p{M})\\u034f(?=\\p{M})',
].join('|')

/** Controls, line and paragraph separators, annotations, and all characters that Unicode displays as nothing. */
const NOTHING = '[[\\p{DI}\\p{Cc}\\p{Cs}\\u2028\\u2029\\ufff9-\\ufffb]--[\\n]]'

/** Invisible tag characters: each stands for one of ASCII. */
const TAGS = '[\\u{e0020}-\\u{e007e}]'

/** A cheap check: nothing of plain ASCII is invisible. */
const MAY_BE_UNSEEN = /[^\n -~]/

interface Patterns {
  runs: RegExp
  seenPart: RegExp
  unseenPart: RegExp
}

let compiled: Patterns | undefined

/** Compiled for the first text: it takes milliseconds, and most test files have none. */
function patterns(): Patterns {
  return (compiled ??= {
    runs: new RegExp(`${NOTHING}+`, 'gv'),
    seenPart: new RegExp(BELONGING, 'vy'),
    unseenPart: new RegExp(`${TAGS}+|[^]`, 'vy'),
  })
}

/**
 * Rewrites each character, or run of tags, that is invisible or that reorders visible text. Characters that belong to
 * an emoji, or join letters of a script that needs it, stay. So do line breaks.
 */
export function writeUnseen(text: string, write: (unseen: string) => string): string {
  if (!MAY_BE_UNSEEN.test(text)) return text
  const { runs, seenPart, unseenPart } = patterns()
  return text.replace(runs, (run: string, start: number) => {
    let written = ''
    let at = start
    while (at < start + run.length) {
      const seen = partAt(seenPart, text, at)
      const part = seen ?? partAt(unseenPart, text, at)!
      written += seen ?? write(part)
      at += part.length
    }
    return written
  })
}

function partAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** The invisible characters of a JSON text, in order, without the tabs and line ends of its layout. */
export function unseenIn(json: string): string[] {
  const found: string[] = []
  writeUnseen(json, (unseen) => {
    if (unseen !== '\t' && unseen !== '\r') found.push(unseen)
    return unseen
  })
  return found
}
