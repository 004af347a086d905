/** A text without the white space beside its strings. In the JSON of a response, that is lost where no layout gives it. */
export function bareJson(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}
