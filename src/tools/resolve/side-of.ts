/** One of the two recordings of a test in a merge conflict, in git's words. */
export type Side = 'ours' | 'theirs'

const OURS = /^<{7}(?: .*)?$/
const BASE = /^\|{7}(?: .*)?$/
const THEIRS = /^={7}$/
const END = /^>{7}(?: .*)?$/

/** One side of a text with markers. Lines outside of them can come from both sides: the caller has to check. */
export function sideOf(text: string, side: Side): string {
  let part: Side | 'both' | 'base' = 'both'
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const bare = line.replace(/\r$/, '')
    if (part === 'both' && OURS.test(bare)) part = 'ours'
    else if (part === 'ours' && BASE.test(bare)) part = 'base'
    else if ((part === 'ours' || part === 'base') && THEIRS.test(bare)) part = 'theirs'
    else if (part === 'theirs' && END.test(bare)) part = 'both'
    else if (part === 'both' || part === side) lines.push(line)
  }
  return lines.join('\n')
}
