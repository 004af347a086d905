import type { ReportIndex, ReportRow } from '../data/report-data.ts'
import { linkToCassette } from '../data/report-link.ts'
import { type Child, element } from './element.ts'
import type { Excerpt, SearchHit } from './find.ts'
import { money, short } from './format-figures.ts'

/** Heights in pixels, as the style sheet has them. */
const HEIGHT = { file: 30, test: 44, hit: 62 }

/** Rows that are rendered above and below the visible ones. */
const AHEAD = 8

type Line = { file: string; count: number } | { hit: SearchHit; place: number }

/** The tests of a report. There may be thousands, so only the visible rows are in the DOM. */
export class TestList {
  readonly element: HTMLElement
  readonly #rows: HTMLElement = element('div.rows', { role: 'presentation' })
  readonly #index: ReportIndex
  readonly #failed: ReadonlySet<string>
  #lines: Line[] = []
  /** The top of each line, and at last the end of the list. */
  #tops: number[] = [0]
  #hits: SearchHit[] = []
  #active = -1
  #open?: ReportRow

  constructor(index: ReportIndex) {
    this.#index = index
    this.#failed = new Set(index.failures.flatMap(({ tests }) => tests.map(({ path }) => path)))
    this.element = element(
      'div.tests',
      {
        id: 'tests',
        role: 'listbox',
        tabindex: 0,
        'aria-label': 'Tests',
        scroll: () => this.#render(),
        keydown: (event: KeyboardEvent) => this.press(event),
      },
      this.#rows,
    )
    new ResizeObserver(() => this.#render()).observe(this.element)
  }

  show(hits: SearchHit[]): void {
    this.#hits = hits
    this.#lines = []
    this.#tops = [0]
    const counts = Map.groupBy(hits, ({ row }) => row.file)
    let file = -1
    for (const [place, hit] of hits.entries()) {
      if (hit.row.file !== file) {
        file = hit.row.file
        const count = counts.get(file)!.length
        this.#add({ file: this.#index.files[file]!, count }, HEIGHT.file)
      }
      this.#add({ hit, place }, hit.excerpt ? HEIGHT.hit : HEIGHT.test)
    }
    this.#rows.style.height = `${this.#tops.at(-1)}px`
    this.#active = hits.findIndex(({ row }) => row === this.#open)
    this.#render()
  }

  /** Marks the open test, and scrolls to it. */
  open(row: ReportRow | undefined): void {
    this.#open = row
    this.#activate(this.#hits.findIndex((hit) => hit.row === row))
  }

  /** The test before or after the open one. */
  beside(step: 1 | -1): ReportRow | undefined {
    const at = this.#hits.findIndex(({ row }) => row === this.#open)
    return this.#hits[at === -1 ? 0 : at + step]?.row
  }

  /** Handles a key of the list, and returns the id of the active row. */
  press(event: KeyboardEvent): string | undefined {
    const last = this.#hits.length - 1
    const page = Math.max(1, Math.floor(this.element.clientHeight / HEIGHT.test) - 1)
    const target = {
      ArrowDown: this.#active + 1,
      ArrowUp: this.#active - 1,
      PageDown: this.#active + page,
      PageUp: this.#active - page,
      Home: 0,
      End: last,
    }[event.key]
    if (event.key === 'Enter' && this.#hits[this.#active]) {
      event.preventDefault()
      location.hash = linkToCassette(this.#hits[this.#active]!.row.path)
    } else if (target !== undefined && last >= 0) {
      event.preventDefault()
      this.#activate(Math.min(last, Math.max(0, target)))
    }
    return this.element.getAttribute('aria-activedescendant') ?? undefined
  }

  #add(line: Line, height: number): void {
    this.#lines.push(line)
    this.#tops.push(this.#tops.at(-1)! + height)
  }

  #activate(place: number): void {
    this.#active = place
    const at = this.#lines.findIndex((line) => 'place' in line && line.place === place)
    if (at !== -1) {
      const [top, bottom] = [this.#tops[at]!, this.#tops[at + 1]!]
      const { scrollTop, clientHeight } = this.element
      if (top - HEIGHT.file < scrollTop) this.element.scrollTop = top - HEIGHT.file
      else if (bottom > scrollTop + clientHeight) this.element.scrollTop = bottom - clientHeight
    }
    this.#render()
  }

  #render(): void {
    const { scrollTop, clientHeight } = this.element
    const first = this.#lineAt(scrollTop) - AHEAD
    const last = this.#lineAt(scrollTop + clientHeight) + AHEAD
    const seen = this.#lines.slice(Math.max(0, first), last + 1)
    const from = Math.max(0, first)
    this.#rows.replaceChildren(
      ...seen.map((line, at) => this.#lineView(line, this.#tops[from + at]!)),
    )
    const active = this.#rows.querySelector('.active')
    if (active) this.element.setAttribute('aria-activedescendant', active.id)
    else this.element.removeAttribute('aria-activedescendant')
  }

  /** Finds the line at a height by binary search. */
  #lineAt(height: number): number {
    let [low, high] = [0, this.#lines.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#tops[middle + 1]! <= height) low = middle + 1
      else high = middle
    }
    return low
  }

  #lineView(line: Line, top: number): HTMLElement {
    const made =
      'file' in line ? fileView(line.file, line.count) : this.#testView(line.hit, line.place)
    made.style.top = `${top}px`
    return made
  }

  #testView({ row, excerpt }: SearchHit, place: number): HTMLElement {
    const isFailed = this.#failed.has(row.path)
    const models = row.models.map((model) => this.#index.models[model]!.name).join(', ')
    return element(
      'a',
      {
        class: [
          'test',
          place === this.#active && 'active',
          row === this.#open && 'open',
          isFailed && 'failed',
        ]
          .filter(Boolean)
          .join(' '),
        id: `test-${row.id}`,
        role: 'option',
        tabindex: -1,
        href: linkToCassette(row.path),
        'aria-selected': row === this.#open ? 'true' : 'false',
        'aria-setsize': this.#hits.length,
        'aria-posinset': place + 1,
      },
      element('span.name', { dir: 'auto' }, isFailed && element('span.badge', 'failed'), row.title),
      element('span.figures', element('span', models), element('span', figuresOf(row))),
      excerpt && element('span.excerpt', excerptView(excerpt())),
    )
  }
}

/** The figures of a test in short. */
function figuresOf(row: ReportRow): string {
  const { exchanges, input, output } = row
  const tokens = input === null && output === null ? null : (input ?? 0) + (output ?? 0)
  return `${short(exchanges)} × · ${tokens === null ? '–' : short(tokens)} tok · ${money(row)}`
}

function excerptView([before, found, after]: Excerpt): Child {
  return [before, element('mark', found), after]
}

function fileView(name: string, count: number): HTMLElement {
  return element(
    'div.test-file',
    { role: 'presentation', title: name },
    // The style sheet cuts the name at its beginning; `bdi` keeps it left to right.
    element('span', element('bdi', { dir: 'ltr' }, name)),
    element('small', count),
  )
}
