/** One value in all the ways in which a text can spell it. */
export interface Spellings {
  /** A pattern of the value as it is, with JSON's escapes at any depth, and in a URL. No groups. */
  pattern: string
  /** Patterns that stand in every text of which `pattern` matches a part, escapes of letters aside. */
  fingerprint: string
  /** The value inside of base64: what does not depend on its neighbours, by where it begins in a group of four. */
  cores: Array<{ pattern: string; skipped: number }>
}

/** Escapes of JSON that are no code of a character. */
const SHORT_ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\\\',
  '/': '/',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
}

/** Characters of a group of base64 that the bytes before a value have a part in: none, one or two bytes. */
const SKIPPED = [0, 2, 3]

/** Letters and digits that stand side by side in every spelling. */
const MAX_FINGERPRINT = 12

export function spellingsOf(value: string): Spellings {
  const runs = value.match(/[A-Za-z0-9]+/g) ?? []
  const longest = runs.toSorted((one, other) => other.length - one.length)[0] ?? ''
  const escaped = JSON.stringify(value).slice(1, -1)
  return {
    pattern: Array.from(value, patternOf).join(''),
    fingerprint: longest.slice(0, MAX_FINGERPRINT),
    cores: [...new Set([value, escaped])].flatMap(coresOf),
  }
}

function patternOf(character: string): string {
  const percent = Array.from(Buffer.from(character), (byte) => `%${hex(byte, 2)}`).join('')
  const codes = Array.from(
    { length: character.length },
    (_, unit) => String.raw`\\+u${hex(character.charCodeAt(unit), 4)}`,
  ).join('')
  const short = SHORT_ESCAPES[character]
  const escape = short === undefined ? [] : [String.raw`\\+${short}`]
  const plus = character === ' ' ? [String.raw`\+`] : []
  return `(?:${[...escape, literal(character), percent, codes, ...plus].join('|')})`
}

function coresOf(value: string): Spellings['cores'] {
  const bytes = Buffer.from(value)
  return SKIPPED.map((skipped, before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const end = Math.floor(((before + bytes.length) * 8) / 6)
    const pattern = Array.from(encoded.slice(skipped, end), (character) =>
      character === '+' ? '[+-]' : character === '/' ? '[/_]' : character,
    ).join('')
    return { pattern, skipped }
  })
}

/** Hexadecimal digits in either case. */
function hex(code: number, digits: number): string {
  const text = code.toString(16).padStart(digits, '0')
  return text.replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`)
}
