import { writeOut } from '../../text/printable.ts'
import { isJsonObject, tryParseJson, type JsonValue } from '../../json/json-value.ts'
import { writeUnseen } from '../../text/unseen.ts'

/** The most characters of a value in one line. */
const BRIEF = 160

/** A text as the page shows it. Characters that are invisible, or reverse the text, are written out. */
export function showText(text: string): string {
  return writeUnseen(text, (unseen) => (unseen === '\t' ? unseen : writeOut(unseen)))
}

/** A JSON value as an indented text; `undefined` where there is none. */
export function showJson<Value extends JsonValue | undefined>(
  value: Value,
): string | (Value & undefined) {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** A JSON value in one line, cut where it is long. */
export function showBriefly(value: JsonValue): string {
  const text = showText(fieldsOf(value)).replace(/\s+/g, ' ')
  return text.length > BRIEF ? `${text.slice(0, BRIEF - 1)}…` : text
}

/** A value as an indented text, and so a text that is JSON, as tool results often are. */
export function showSpelled(value: JsonValue): string {
  const isSpelled = typeof value === 'string' && /^\s*[[{]/.test(value)
  return showJson((isSpelled ? tryParseJson(value) : undefined) ?? value)
}

function fieldsOf(value: JsonValue): string {
  if (!isJsonObject(value)) return onOneLine(value)
  const fields = Object.entries(value)
  return fields.map(([name, field]) => `${name}: ${onOneLine(field)}`).join(', ')
}

function onOneLine(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
