/** The placeholder for a value that is never stored. */
export function placeholderOf(name: string): string {
  return `<REDACTED:${name}>`
}
