/** A text as a regular expression that matches it and nothing else. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** The same between slashes, as people write one. */
export function escapeInSlashes(text: string): string {
  return escapePattern(text).replaceAll('/', String.raw`\/`)
}
