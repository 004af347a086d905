/** A part of a value in base64 that does not depend on what stands beside the value. */
interface Core {
  pattern: string
  /** The number of characters before it in its group that depend on other bytes. */
  skipped: number
  /** As the usual alphabet spells it. */
  text: string
}

/** The number of characters of a base64 group that depend on the bytes before a value: for none, one or two bytes. */
const SKIPPED = [0, 2, 3]

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
