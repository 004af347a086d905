import type { ReportIndex, ReportRow } from '../data/report-data.ts'
import { load } from './load.ts'

/** A cassette with all searched words, and an excerpt of its text if its name lacks one of them. */
export interface SearchHit {
  row: ReportRow
  /** The text around the first word that the name lacks. */
  excerpt?: () => Excerpt
}

export type Excerpt = [before: string, found: string, after: string]

/** Shorter words occur in nearly every text, so texts are not loaded for them. */
const MIN_SEARCHED = 2

/** The least time between two updates of the results while texts load. */
const BETWEEN_MS = 400

/** Characters of an excerpt before the found word; twice as many follow it. */
const AROUND = 40

/** Finds cassettes by their names at once, and by their texts once these are loaded. */
export class Finder {
  readonly #index: ReportIndex
  readonly #names: Map<ReportRow, string> = new Map()
  readonly #texts: Map<string, { text: string; lower: string }> = new Map()
  #loaded: Promise<void> | undefined
  #isComplete = false

  constructor(index: ReportIndex) {
    this.#index = index
  }

  /** Whether a search for these words needs texts that are not loaded yet. */
  needsTexts(words: readonly string[]): boolean {
    return !this.#isComplete && words.some((word) => word.length >= MIN_SEARCHED)
  }

  /** Loads the texts of all cassettes once, and calls `onPart` from time to time meanwhile. */
  loadTexts(onPart: () => void): Promise<void> {
    return (this.#loaded ??= this.#loadAll(onPart))
  }

  async #loadAll(onPart: () => void): Promise<void> {
    let next = 0
    for (let file = 0; file < this.#index.searchFiles; file++) {
      const { texts } = await load('texts', file)
      for (const [id, text] of texts) this.#texts.set(id, { text, lower: text.toLowerCase() })
      // A search after each part would take longer than loading them.
      if (performance.now() < next) continue
      onPart()
      next = performance.now() + BETWEEN_MS
    }
    this.#isComplete = true
  }

  /** The rows with all of the words; every row if there are no words. */
  find(words: readonly string[]): SearchHit[] {
    if (words.length === 0) return this.#index.rows.map((row) => ({ row }))
    return this.#index.rows.flatMap((row) => {
      const name = this.#nameOf(row)
      if (words.every((word) => name.includes(word))) return { row }
      const said = this.#texts.get(row.id)
      if (!said || !words.every((word) => name.includes(word) || said.lower.includes(word)))
        return []
      const word = words.find((one) => !name.includes(one))!
      return { row, excerpt: () => excerptOf(said, word) }
    })
  }

  #nameOf(row: ReportRow): string {
    const known = this.#names.get(row)
    if (known !== undefined) return known
    const { files, models } = this.#index
    const own = row.models.map((model) => models[model]!.name)
    const name = [files[row.file], row.title, row.path, ...own].join('\n').toLowerCase()
    this.#names.set(row, name)
    return name
  }
}

export function wordsOf(search: string): string[] {
  return [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))]
}

function excerptOf({ text, lower }: { text: string; lower: string }, word: string): Excerpt {
  const at = lower.indexOf(word)
  const end = at + word.length
  const from = Math.max(0, at - AROUND)
  return [
    (from > 0 ? '…' : '') + oneLine(text.slice(from, at)),
    oneLine(text.slice(at, end)),
    oneLine(text.slice(end, end + AROUND * 2)),
  ]
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

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
