/** A token of compact JSON: a text, an empty container, or one of those that a layout puts white space beside. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g

/**
 * Puts the white space of a layout into compact JSON, whose values stay as they are spelled; `undefined` for a layout
 * that changes more than that.
 *
 * @param layout as the file has it
 */
export function layOut(json: string, layout: string): string | undefined {
  const { indent, spaced, end = '', ...others } = JSON.parse(layout) as Record<string, unknown>
  if (Object.keys(others).length > 0) return undefined
  if (typeof indent !== 'number') return spaced ? json.replace(TOKEN, withSpace) + end : json + end
  const step = ' '.repeat(indent)
  let line = '\n'
  const laidOut = json.replace(TOKEN, (token) => {
    switch (token) {
      case '{':
      case '[':
        line += step
        return token + line
      case '}':
      case ']':
        line = line.slice(0, line.length - indent)
        return line + token
      case ',':
        return token + line
      case ':':
        return ': '
      default:
        return token
    }
  })
  return laidOut + end
}

function withSpace(token: string): string {
  return token === ',' || token === ':' ? `${token} ` : token
}
