import type {
  FailureRow,
  ReportCassette,
  ReportExchange,
  ReportRow,
  ReportSettings,
  ReportThread,
} from '../data/report-data.ts'
import { linkToCassette } from '../data/report-link.ts'
import { button, element } from './element.ts'
import { entryView, folded } from './entry-view.ts'
import { failureView } from './failure-view.ts'
import { count, countOf, duration, money } from './format.ts'
import { streamView } from './stream-view.ts'
import { textView } from './text-view.ts'

/** What is known of a cassette before it is loaded. */
export interface Opened {
  row: ReportRow
  file: string
  models: string[]
  failures: FailureRow[]
}

/** A cassette: why its test failed, and every conversation of it. */
export function conversationView(opened: Opened, cassette: ReportCassette): HTMLElement {
  const { row, failures } = opened
  const { threads, notes, path, timestamp } = cassette
  return element(
    'article',
    { class: 'conversation' },
    element(
      'header',
      { class: 'title' },
      element('p', { class: 'where' }, opened.file),
      element('h1', { tabindex: -1 }, row.title),
      element(
        'p',
        { class: 'facts' },
        factsOf(opened).map((fact) => element('span', {}, fact)),
      ),
      element(
        'p',
        { class: 'path' },
        element('code', {}, path),
        copyButton(path, 'Copy the path'),
        element('span', { class: 'quiet' }, `recorded ${timestamp.slice(0, 16).replace('T', ' ')}`),
      ),
      notes.map((note) => element('p', { class: 'note' }, note)),
    ),
    failures.map((failure) => failureView(failure, true, 'h2')),
    threads.length > 1 && threadsView(threads, row.path),
    threads.map((thread) => threadView(thread, opened, threads.length > 1)),
  )
}

function factsOf({ row, models }: Opened): string[] {
  return [
    models.join(', '),
    countOf(row.exchanges, 'exchange'),
    `${count(row.input)} tokens in${row.cached > 0 ? ` (${count(row.cached)} cached)` : ''}`,
    `${count(row.output)} out${row.reasoning > 0 ? ` (${count(row.reasoning)} reasoning)` : ''}`,
    money(row),
    duration(row.ms),
  ].filter((fact) => fact !== '')
}

/** Where each thread begins. */
function threadsView(threads: readonly ReportThread[], path: string): HTMLElement {
  return element(
    'nav',
    { class: 'threads', 'aria-label': 'Threads' },
    threads.map(({ id, exchanges, model }) =>
      element(
        'a',
        { href: linkToCassette(path, exchanges[0]?.id ?? id) },
        id,
        element('span', { class: 'quiet' }, ` ${exchanges.length}${model ? ` · ${model}` : ''}`),
      ),
    ),
  )
}

function threadView(thread: ReportThread, opened: Opened, isOneOfMany: boolean): HTMLElement {
  const { id, branch, exchanges } = thread
  return element(
    'section',
    { class: 'thread', 'aria-label': id },
    isOneOfMany &&
      element(
        'h2',
        {},
        id,
        branch !== undefined && element('span', { class: 'quiet' }, ` ${branch}`),
      ),
    exchanges.map((exchange) => exchangeView(exchange, opened.row)),
  )
}

function exchangeView(exchange: ReportExchange, { id: cassette, path }: ReportRow): HTMLElement {
  const { id, entries, events, settings } = exchange
  const link = linkToCassette(path, id)
  return element(
    'section',
    { class: 'exchange', 'data-exchange': id, 'aria-label': id },
    element(
      'header',
      { class: 'exchange-line', tabindex: -1 },
      element('a', { href: link, title: 'Link to this exchange' }, id),
      element(
        'span',
        { class: 'quiet asked' },
        [exchange.operation, exchange.model].filter(Boolean).join(' · '),
      ),
      exchange.notes.map((note) => element('span', { class: 'note' }, note)),
      element(
        'span',
        { class: 'taken' },
        takenBy(exchange).map((fact) => element('span', {}, fact)),
      ),
    ),
    settings && settingsView(settings),
    entries.map(entryView),
    element(
      'footer',
      { class: 'wire' },
      wireOf(exchange).map((fact) => element('span', {}, fact)),
      events > 0 && streamView(cassette, id, events),
    ),
  )
}

/** Tokens, cost and time of one exchange. */
function takenBy(exchange: ReportExchange): string[] {
  const { input, output, cached, reasoning } = exchange
  const isCounted = input !== null || output !== null
  return [
    ...(isCounted
      ? [
          `${count(input)} in${cached > 0 ? ` (${count(cached)} cached)` : ''}`,
          `${count(output)} out${reasoning > 0 ? ` (${count(reasoning)} reasoning)` : ''}`,
        ]
      : ['tokens unknown']),
    exchange.cost === null ? 'cost unknown' : money(exchange),
    duration(exchange.ms),
  ]
}

/** How the answer ended, and where it came from. */
function wireOf({ finish, status = 200, url, method }: ReportExchange): string[] {
  return [
    ...finish,
    ...(status >= 400 ? [`status ${status}`] : []),
    ...(url === undefined ? [] : [`${method} ${url}`]),
  ]
}

function settingsView({ parameters, tools }: ReportSettings): HTMLElement {
  return element(
    'div',
    { class: 'settings' },
    parameters !== undefined && textView(parameters, 'code', true),
    tools &&
      folded(
        tools.length === 0
          ? 'No tools any more'
          : `${countOf(tools.length, 'tool')}: ${tools.map(({ name }) => name).join(', ')}`,
        element(
          'dl',
          {},
          tools.map(({ name, text }) => [
            element('dt', {}, name),
            element('dd', {}, textView(text, 'code', true)),
          ]),
        ),
      ),
  )
}

/** Browsers that do not let a page from a disk copy show no button. */
function copyButton(text: string, label: string): HTMLElement | undefined {
  if (!navigator.clipboard) return undefined
  const made = button(
    'Copy',
    () => {
      navigator.clipboard.writeText(text).then(
        () => (made.textContent = 'Copied'),
        () => made.remove(),
      )
    },
    { class: 'copy', 'aria-label': label },
  )
  return made
}
