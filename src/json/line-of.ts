import { jsonTokens } from './json-tokens.ts'

/**
 * The line, counted from 1, on which the value under the keys of a path begins; `undefined` for a
 * path that leads nowhere.
 *
 * @param text valid JSON
 */
export function lineOf(text: string, path: readonly string[]): number | undefined {
  /** The keys that lead to the current value; those of arrays are counted. */
  const keys: Array<string | number> = []
  let isKey = false
  for (const { token, index } of jsonTokens(text)) {
    if (token === ':') isKey = false
    else if (token === ',') {
      const last = keys.pop()
      keys.push(typeof last === 'number' ? last + 1 : '')
      isKey = typeof last === 'string'
    } else if (token === '}' || token === ']') keys.pop()
    else if (isKey) keys[keys.length - 1] = JSON.parse(token) as string
    else {
      if (isSame(keys, path)) return text.slice(0, index).split('\n').length
      if (token === '{' || token === '[') keys.push(token === '[' ? 0 : '')
      isKey = token === '{'
    }
  }
  return undefined
}

function isSame(keys: ReadonlyArray<string | number>, path: readonly string[]): boolean {
  return keys.length === path.length && keys.every((key, index) => String(key) === path[index])
}
