/** Date and time in ISO 8601, extended or basic, with a fraction and a zone in any of its spellings. */
const ISO_8601 =
  /^(\d{4})(-?)(\d\d)\2(\d\d)T(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i

/** Whether a text in ISO 8601 names its zone. */
export function hasZone(text: string): boolean {
  return ISO_8601.exec(text)?.[9] !== undefined
}

/**
 * The time of a text in ISO 8601, in milliseconds since 1970; NaN for any other text, and for a day that no calendar
 * has. A text without a zone is in that of this machine.
 */
export function readIsoTime(text: string): number {
  const found = ISO_8601.exec(text)
  if (!found) return NaN
  const [, year, , month, day, hour, minute = '00', second = '00', fraction = '0', zone = ''] =
    found
  const date = `${year}-${month}-${day}`
  if (Number.isNaN(Date.parse(date)) || !new Date(date).toISOString().startsWith(date)) return NaN
  // A leap second counts as the one before it.
  const time = `${hour}:${minute}:${second === '60' ? '59' : second}.${fraction.slice(0, 3)}`
  return Date.parse(`${date}T${time}${spellZone(zone)}`)
}

/** A text in ISO 8601 as `Date` and other programs read it, too: unchanged where it is so already. */
export function readableTime(text: string): string {
  if (!Number.isNaN(Date.parse(text))) return text
  const time = readIsoTime(text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

/** `+02` and `+0200` as `+02:00`. */
function spellZone(zone: string): string {
  return zone.length < 2
    ? zone.toUpperCase()
    : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
}
