/** One value in all the ways in which a text can spell it. */
export interface Spellings {
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

/** The number of characters of a base64 group that depend on the bytes before a value: for none, one or two bytes. */
const SKIPPED = [0, 2, 3]

/** The most letters and digits of a trace. */
const MAX_TRACE = 12

export function spellingsOf(value: string): Spellings {
  const escaped = JSON.stringify(value).slice(1, -1)
  const cores = [...new Set([value, escaped])].flatMap(coresOf)
  return {
    traces: [value, ...cores.map(({ text }) => text)].map(traceOf),
    cores,
  }
}

function traceOf(text: string): string {
  const runs = text.match(/[A-Za-z0-9]+/g) ?? ['']
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one))
  return longest.slice(0, MAX_TRACE)
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
