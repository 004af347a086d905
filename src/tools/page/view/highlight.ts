/** The most words that are marked in one page. */
const MAX_MARKED = 2_000

/** Marks the searched words without a change of the DOM, if the browser supports highlights. */
export function highlight(root: Node, words: readonly string[]): void {
  if (!('highlights' in CSS)) return
  const ranges = words.length > 0 ? findRanges(root, words) : []
  CSS.highlights.set('found', new Highlight(...ranges))
}

function findRanges(root: Node, words: readonly string[]): Range[] {
  const ranges: Range[] = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() && ranges.length < MAX_MARKED) {
    const node = texts.currentNode as Text
    const lower = node.data.toLowerCase()
    // A few letters become two in lower case, which shifts the positions.
    if (lower.length !== node.data.length) continue
    for (const word of words) {
      for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length)) {
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + word.length)
        ranges.push(range)
      }
    }
  }
  return ranges
}
