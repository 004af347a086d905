/** A letter or a digit. The name of an MCP server has at least one, and none may precede or follow the name. */
export const SERVER_NAME = /[\p{L}\p{N}]/u

/** The first of the names that occurs in an address, outside of its user, password and query. */
export function serverAt({ host, pathname }: URL, names: readonly string[]): string | undefined {
  return serverNamed(host + pathname, names)
}

/** The first of the names that occurs in a text as one or more whole words. */
export function serverNamed(text: string, names: readonly string[]): string | undefined {
  const words = text.toLowerCase()
  return names.find((name) => standsIn(words, name.toLowerCase()))
}

function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + name.length]]
    if (!SERVER_NAME.test(before) && !SERVER_NAME.test(after)) return true
  }
  return false
}
