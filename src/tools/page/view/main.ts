import type { ReportIndex, ReportRow } from '../data/report-data.ts'
import { writeOutUnseen } from '../../../text/printable.ts'
import { linkToCassette, readLink } from '../data/report-link.ts'
import { countOf } from '../../../text/count-of.ts'
import { conversationView } from './conversation-view.ts'
import { button, element, fill } from './element.ts'
import { failureView } from './failure-view.ts'
import { Finder, highlight, wordsOf } from './find.ts'
import { count } from './format-figures.ts'
import { listenToKeys, showKeys } from './keys.ts'
import { load, receive } from './load.ts'
import { overview } from './overview.ts'
import { TestList } from './test-list.ts'
import { themeButton } from './theme.ts'

/** The pause after the last key before a search begins. */
const PATIENCE_MS = 120

receive(start)

function start(index: ReportIndex): void {
  const finder = new Finder(index)
  const list = new TestList(index)
  const byPath = new Map(index.rows.map((row) => [row.path, row]))
  const main = element('main', { id: 'main', tabindex: -1 })
  const found = element('p.found', { role: 'status' })
  let words: string[] = []
  let shown: string | undefined

  const search = element('input', {
    type: 'search',
    placeholder: 'Search names and texts',
    'aria-label': 'Search',
    'aria-controls': 'tests',
    autocomplete: 'off',
    spellcheck: 'false',
    keydown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') search.blur()
      else if (['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Enter'].includes(event.key)) {
        const active = list.press(event)
        if (active !== undefined) search.setAttribute('aria-activedescendant', active)
      }
    },
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  search.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(find, PATIENCE_MS)
  })

  function find(): void {
    words = wordsOf(search.value)
    const searched = words
    const needsTexts = finder.needsTexts(words)
    showFound(needsTexts)
    if (needsTexts)
      finder
        .loadTexts(() => searched === words && showFound(true))
        .then(
          () => searched === words && showFound(false),
          (error: Error) => (found.textContent = error.message),
        )
    highlight(main, words)
  }

  function showFound(isLoading: boolean): void {
    const hits = finder.find(words)
    list.show(hits)
    const all = countOf(index.rows.length, 'test')
    const some = words.length === 0 ? all : `${count(hits.length)} of ${all}`
    found.textContent = isLoading ? `${some}, reading texts…` : some
  }

  async function route(): Promise<void> {
    const link = readLink(location.hash)
    const row = link && byPath.get(link.path)
    document.body.classList.remove('shows-list')
    list.open(row)
    if (link && link.path === shown) return scrollTo(link.exchange)
    shown = link?.path
    document.title = row ? `${row.title} · Cassettes` : 'Cassettes'
    if (!link) fill(main, overview(index))
    else if (!row) fill(main, missing(link.path))
    else await open(row)
    if (shown !== link?.path) return
    highlight(main, words)
    main.scrollTop = 0
    if (link?.exchange === undefined) main.querySelector('h1')?.focus({ preventScroll: true })
    else scrollTo(link.exchange)
  }

  async function open(row: ReportRow): Promise<void> {
    try {
      const cassette = await load('cassette', row.id)
      if (shown !== row.path) return
      const models = row.models.map((model) => index.models[model]!.name)
      const opened = { row, models, file: index.files[row.file]!, failures: failuresOf(row.path) }
      fill(main, conversationView(opened, cassette))
    } catch (error) {
      fill(main, element('p.problem', (error as Error).message))
    }
  }

  /** The page of a path without a cassette. Its test may have failed; otherwise the path is of another report. */
  function missing(path: string): HTMLElement {
    const failures = failuresOf(path)
    return element(
      'article',
      element('header.title', element('h1', { tabindex: -1 }, 'No cassette')),
      element('p', element('code', writeOutUnseen(path))),
      failures.map((failure) => failureView(failure, true)),
      failures.length === 0 && element('p.quiet', 'This report has no such cassette.'),
    )
  }

  function failuresOf(path: string): ReportIndex['failures'] {
    return index.failures.filter(({ tests }) => tests.some((test) => test.path === path))
  }

  function scrollTo(exchange: string | undefined): void {
    const all = [...main.querySelectorAll<HTMLElement>('.exchange')]
    const target = all.find(({ dataset }) => dataset.exchange === exchange)
    for (const one of all) one.classList.toggle('target', one === target)
    const line = target?.querySelector<HTMLElement>('.exchange-line')
    line?.scrollIntoView({ block: 'start' })
    line?.focus({ preventScroll: true })
  }

  function moveExchange(step: 1 | -1): void {
    const lines = [...main.querySelectorAll<HTMLElement>('.exchange-line')]
    const top = main.getBoundingClientRect().top
    const at = lines.findLastIndex((line) => line.getBoundingClientRect().top <= top + 8)
    const focused = lines.indexOf(document.activeElement as HTMLElement)
    const next = lines[(focused === -1 ? at : focused) + step]
    next?.scrollIntoView({ block: 'start' })
    next?.focus({ preventScroll: true })
  }

  function foldAll(): void {
    const all = [...main.querySelectorAll('details')]
    const isOpening = all.some(({ open }) => !open)
    for (const one of all) one.open = isOpening
  }

  // A click on the open test changes no address, so `route` is not called to close the list.
  list.element.addEventListener('click', () => document.body.classList.remove('shows-list'))
  const theme = themeButton()
  const showList = button('Tests', () => document.body.classList.toggle('shows-list'), {
    class: 'show-list',
  })
  fill(
    document.body,
    element(
      'a.skip',
      {
        href: '#main',
        click: (event: Event) => {
          event.preventDefault()
          main.focus()
        },
      },
      'Skip the list of tests',
    ),
    element(
      'aside',
      { 'aria-label': 'Tests' },
      element(
        'header',
        element('a.brand', { href: '#/' }, 'Cassettes'),
        button('?', showKeys, { 'aria-label': 'Keys', class: 'help' }),
        theme,
      ),
      search,
      found,
      list.element,
    ),
    element('div.bar', showList, element('a.brand', { href: '#/' }, 'Cassettes')),
    main,
  )
  listenToKeys({
    search: () => {
      document.body.classList.add('shows-list')
      search.focus()
      search.select()
    },
    beside: (step) => {
      const row = list.beside(step)
      if (row) location.hash = linkToCassette(row.path)
    },
    exchange: moveExchange,
    foldAll,
    overview: () => (location.hash = '#/'),
    theme: () => theme.click(),
  })
  addEventListener('hashchange', () => void route())
  find()
  void route()
}
