/** One value in all the ways in which a text can spell it. */
export interface Spellings {
  /** A pattern of the value as it is, with the escapes of JSON and programs at any depth, and in URLs. No groups. */
  pattern: string
  /** Letters and digits of which some stand in every text that spells the value, unless they are escaped. */
  traces: string[]
  /** The parts of the value in base64 that do not depend on its neighbours, by its position in a group of four. */
  cores: Core[]
}

interface Core {
  pattern: string
  /** The number of characters before it in its group that depend on other bytes. */
  skipped: number
  /** As the usual alphabet spells it. */
  text: string
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

/** Characters that HTML has names for. */
const ENTITIES: Record<string, string> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
}

/** Backslashes before an escape: as many as texts inside of texts have, since each number of them is tried. */
const BACKSLASHES = String.raw`\\{1,32}`

/** The percent sign of an escape in a URL, also in an address that is a parameter of another, up to four deep. */
const PERCENT = '%(?:25){0,3}'

/** The number of characters of a base64 group that depend on the bytes before a value: for none, one or two bytes. */
const SKIPPED = [0, 2, 3]

/** The most letters and digits of a trace. */
const MAX_TRACE = 12

export function spellingsOf(value: string): Spellings {
  const escaped = JSON.stringify(value).slice(1, -1)
  const cores = [...new Set([value, escaped])].flatMap(coresOf)
  return {
    pattern: Array.from(value, patternOf).join(''),
    traces: [value, ...cores.map(({ text }) => text)].map(traceOf),
    cores,
  }
}

function traceOf(text: string): string {
  const runs = text.match(/[A-Za-z0-9]+/g) ?? ['']
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one))
  return longest.slice(0, MAX_TRACE)
}

function patternOf(character: string): string {
  const percent = Array.from(Buffer.from(character), (byte) => `${PERCENT}${hex(byte, 2)}`).join('')
  const codes = Array.from(
    { length: character.length },
    (_, unit) => `${BACKSLASHES}u${hex(character.charCodeAt(unit), 4)}`,
  ).join('')
  const program = `${BACKSLASHES}(?:x${hex(character.charCodeAt(0), 2)}|u\\{0{0,4}${hex(character.codePointAt(0)!, 1)}\\})`
  const short = SHORT_ESCAPES[character]
  const escape = short === undefined ? [] : [`${BACKSLASHES}${short}`]
  const point = character.codePointAt(0)!
  const entity = `&#(?:0{0,4}${point}|[xX]0{0,4}${hex(point, 1)});`
  const named = character in ENTITIES ? [`&${ENTITIES[character]};`] : []
  const plus = character === ' ' ? [String.raw`\+`] : []
  return `(?:${[...escape, literal(character), percent, codes, program, entity, ...named, ...plus].join('|')})`
}

/** The parts of a value in base64 that are the same in any context, by its position in a group of four. */
export function coresOf(value: string | Uint8Array): Core[] {
  const bytes = Buffer.from(value as string)
  return SKIPPED.map((skipped, before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const end = Math.floor(((before + bytes.length) * 8) / 6)
    const text = encoded.slice(skipped, end)
    const pattern = Array.from(text, (character) =>
      character === '+' ? '[+-]' : character === '/' ? '[/_]' : character,
    ).join('')
    return { pattern, skipped, text }
  })
}

/** A pattern of hexadecimal digits in either case. */
function hex(code: number, digits: number): string {
  const text = code.toString(16).padStart(digits, '0')
  return text.replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`)
}
