/** A placeholder in a text, with its name. */
export const PLACEHOLDER = /<REDACTED:(\w+)>/g

/** The placeholder for a value that is never stored. */
export function placeholderOf(name: string): string {
  return `<REDACTED:${name}>`
}
