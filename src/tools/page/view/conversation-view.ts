import { countOf } from '../../../text/count-of.ts'
import { writeOutUnseen } from '../../../text/printable.ts'
import type {
  FailureRow,
  Figures,
  ReportCassette,
  ReportExchange,
  ReportRow,
  ReportSettings,
  ReportThread,
  StreamedEvent,
} from '../data/report-data.ts'
import { linkToCassette } from '../data/report-link.ts'
import { disclosure } from './disclosure.ts'
import { button, type Child, element, elements, moreButton } from './element.ts'
import { entryView, foldElement, textView } from './entry-view.ts'
import { failureView } from './failure-view.ts'
import { count, duration, money } from './format-figures.ts'
import { load } from './load.ts'

/** The data of a cassette that the index holds. */
interface Opened {
  row: ReportRow
  file: string
  models: string[]
  failures: FailureRow[]
}

/** The page of a cassette: the failures of its test, and its conversations. */
export function conversationView(opened: Opened, cassette: ReportCassette): HTMLElement {
  const { row, failures } = opened
  const { threads, notes, timestamp } = cassette
  const path = writeOutUnseen(cassette.path)
  return element(
    'article.conversation',
    element(
      'header.title',
      element('p.where', opened.file),
      element('h1', { tabindex: -1 }, row.title),
      element('p.facts', elements('span', factsOf(opened))),
      element(
        'p.path',
        element('code', path),
        copyButton(path, 'Copy the path'),
        element('span.quiet', `recorded ${timestamp.slice(0, 16).replace('T', ' ')}`),
      ),
      notes.map((note) => element('p.note', note)),
    ),
    failures.map((failure) => failureView(failure, true)),
    threads.length > 1 && threadsView(threads, row.path),
    threads.map((thread) => threadView(thread, opened, threads.length > 1)),
  )
}

function factsOf({ row, models }: Opened): string[] {
  const facts = [models.join(', '), countOf(row.exchanges, 'exchange'), ...takenBy(row, ' tokens')]
  return facts.filter(Boolean)
}

/** Links to the first exchange of each thread. */
function threadsView(threads: readonly ReportThread[], path: string): HTMLElement {
  return element(
    'nav.threads',
    { 'aria-label': 'Threads' },
    threads.map(({ id, exchanges, model }) =>
      element(
        'a',
        { href: linkToCassette(path, exchanges[0]?.id ?? id) },
        id,
        element('span.quiet', ` ${exchanges.length}${model ? ` · ${model}` : ''}`),
      ),
    ),
  )
}

function threadView(thread: ReportThread, opened: Opened, isOneOfMany: boolean): HTMLElement {
  const { id, branch, uncompared, exchanges } = thread
  return element(
    'section.thread',
    { 'aria-label': id },
    isOneOfMany && element('h2', id, branch !== undefined && element('span.quiet', ` ${branch}`)),
    exchanges.map((exchange) => exchangeView(exchange, opened.row)),
    uncompared !== undefined &&
      element('p.quiet.uncompared', `Not compared, since the file does not say it: ${uncompared}.`),
  )
}

function exchangeView(exchange: ReportExchange, { id: cassette, path }: ReportRow): HTMLElement {
  const { id, entries, events, settings } = exchange
  const link = linkToCassette(path, id)
  return element(
    'section.exchange',
    { 'data-exchange': id, 'aria-label': id },
    element(
      'header.exchange-line',
      { tabindex: -1 },
      element('a', { href: link, title: 'Link to this exchange' }, id),
      element('span.quiet.asked', [exchange.operation, exchange.model].filter(Boolean).join(' · ')),
      exchange.notes.map((note) => element('span.note', note)),
      element('span.taken', elements('span', takenBy(exchange))),
    ),
    settings && settingsView(settings),
    entries.map(entryView),
    element(
      'footer.wire',
      elements('span', wireOf(exchange)),
      events > 0 && streamView(cassette, id, events),
    ),
  )
}

/** Tokens, cost and time; unknown ones are called `unknown`. */
function takenBy(figures: Figures, noun = ''): string[] {
  const { input, output, cached, reasoning, cost, ms } = figures
  const ofWhich = (part: number, name: string): string =>
    part > 0 ? ` (${count(part)} ${name})` : ''
  const tokens = [
    `${count(input)}${noun} in${ofWhich(cached, 'cached')}`,
    `${count(output)} out${ofWhich(reasoning, 'reasoning')}`,
  ]
  return [
    ...(input === null && output === null ? ['tokens unknown'] : tokens),
    cost === null ? 'cost unknown' : money(figures),
    ...(ms > 0 ? [duration(ms)] : []),
  ]
}

/** The finish reasons, the status of an error, and the address of the request. */
function wireOf({ finish, status = 200, url, method }: ReportExchange): string[] {
  const error = status >= 400 && `status ${status}`
  return [...finish, error, url && `${method} ${url}`].filter((fact) => typeof fact === 'string')
}

function settingsView({ parameters, tools }: ReportSettings): HTMLElement {
  return element(
    'div.settings',
    parameters !== undefined && textView(parameters, 'code', true),
    tools && toolsView(tools),
  )
}

function toolsView(tools: NonNullable<ReportSettings['tools']>): HTMLElement {
  const names = tools.map(({ name }) => name).join(', ')
  const label =
    tools.length === 0 ? 'No tools any more' : `${countOf(tools.length, 'tool')}: ${names}`
  const described = tools.map(({ name, text }) => [
    element('dt', name),
    element('dd', textView(text, 'code', true)),
  ])
  return foldElement(label, element('dl', described))
}

/** A copy button; `undefined` if the browser denies the clipboard to a page opened from disk. */
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

const MAX_EVENTS = 100

/** A button that loads and shows the events of a streamed answer. */
function streamView(id: string, exchange: string, events: number): HTMLElement {
  const content = async (): Promise<Child> => {
    const { exchanges } = await load('streams', id)
    return eventsView(exchanges[exchange] ?? [])
  }
  const body = element('div.stream')
  return element('div', disclosure(`Stream · ${countOf(events, 'event')}`, body, content), body)
}

function eventsView(events: readonly StreamedEvent[]): HTMLElement {
  const list = element('ol.events', { tabindex: 0, 'aria-label': 'Events of the stream' })
  const add = (some: readonly StreamedEvent[]): void => {
    for (const { name, data } of some)
      list.append(element('li', name !== undefined && element('b', name), element('code', data)))
  }
  add(events.slice(0, MAX_EVENTS))
  if (events.length <= MAX_EVENTS) return list
  const label = `Show all ${count(events.length)} events`
  const more = moreButton(label, () => add(events.slice(MAX_EVENTS)))
  return element('div', list, more)
}
