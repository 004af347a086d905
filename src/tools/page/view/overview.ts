import { countOf } from '../../../text/count-of.ts'
import type { Figures, RehearsedAnswer, ReportIndex, ReportRehearsal } from '../data/report-data.ts'
import { linkToCassette } from '../data/report-link.ts'
import { fillLoaded } from './disclosure.ts'
import { type Child, element, elements, fill, moreButton } from './element.ts'
import { failureView } from './failure-view.ts'
import { count, duration, money, sumFigures } from './format-figures.ts'
import { load } from './load.ts'

const MAX_OPEN = 5

/** Lines of a table that are shown at first. */
const MAX_LINES = 20

const RECORD = 'npx vitest-cassette record'

interface Line extends Figures {
  name: string
  href?: string
}

/** The first page: the failures, the rehearsal, the unreadable cassettes, and the usage. */
export function overview(index: ReportIndex): HTMLElement {
  const { rows, failures, rehearsal, unread, models, made, version, prices } = index
  const total = sumFigures(rows)
  const failed = new Set(failures.flatMap(({ tests }) => tests.map(({ path }) => path))).size
  return element(
    'article.overview',
    element(
      'header.title',
      element(
        'h1',
        { tabindex: -1 },
        failed > 0 ? `${countOf(failed, 'test')} failed` : 'Overview',
      ),
      element('p.quiet', `${made.slice(0, 16).replace('T', ' ')} UTC`),
    ),
    failures.map((failure, at) => failureView(failure, at < MAX_OPEN)),
    rehearsal && rehearsalView(rehearsal),
    unread.length > 0 &&
      element(
        'section.unread',
        element('h2', `${countOf(unread.length, 'cassette')} cannot be read`),
        element(
          'ul',
          unread.map(({ problem }) => element('li', problem)),
        ),
      ),
    element(
      'dl.tiles',
      tile('Tests', count(rows.length)),
      tile('Exchanges', count(total.exchanges)),
      tile('Tokens in', count(total.input), total.cached > 0 && `${count(total.cached)} cached`),
      tile(
        'Tokens out',
        count(total.output),
        total.reasoning > 0 && `${count(total.reasoning)} reasoning`,
      ),
      tile('Cost', money(total), 'when it was recorded'),
      tile('Time', duration(total.ms), 'saved by each replay'),
    ),
    rows.length + unread.length === 0 &&
      element('p', 'Nothing is recorded yet. Record it: ', element('code', RECORD)),
    table('By model', [...models].sort(byCost)),
    table('By test file', filesOf(index).sort(byCost)),
    table(
      'By test',
      rows
        .map((row): Line => ({ ...row, name: row.title, href: linkToCassette(row.path) }))
        .sort(byCost),
    ),
    element(
      'p.quiet',
      `vitest-cassette ${version}. List prices of ${prices}. A dash stands for an unknown value.`,
    ),
  )
}

function filesOf({ rows, files }: ReportIndex): Line[] {
  const byFile = Map.groupBy(rows, ({ file }) => file)
  return Array.from(byFile, ([file, own]) => ({ name: files[file]!, ...sumFigures(own) }))
}

function byCost(one: Figures, other: Figures): number {
  const tokens = (figures: Figures): number => (figures.input ?? 0) + (figures.output ?? 0)
  return (other.cost ?? -1) - (one.cost ?? -1) || tokens(other) - tokens(one)
}

function tile(name: string, value: string, more: Child = false): HTMLElement {
  return element('div', element('dt', name), element('dd', value, more && element('small', more)))
}

function table(title: string, lines: readonly Line[]): HTMLElement | undefined {
  if (lines.length === 0) return undefined
  const body = element('tbody')
  const show = (some: readonly Line[]): void => fill(body, some.map(lineView))
  show(lines.slice(0, MAX_LINES))
  const more =
    lines.length > MAX_LINES && moreButton(`Show all ${count(lines.length)}`, () => show(lines))
  const heads = [title.replace('By ', ''), ...Object.keys(FIGURES)]
  return element(
    'section',
    element('h2', title),
    element(
      'div.scrolled',
      { tabindex: 0, role: 'region', 'aria-label': title },
      element(
        'table',
        element(
          'thead',
          element(
            'tr',
            heads.map((head) => element('th', { scope: 'col' }, head)),
          ),
        ),
        body,
      ),
    ),
    more,
  )
}

/** The columns of a table. */
const FIGURES: Record<string, (line: Line) => string> = {
  cost: money,
  exchanges: (line) => count(line.exchanges),
  in: (line) => count(line.input),
  out: (line) => count(line.output),
  time: (line) => duration(line.ms),
}

function lineView(line: Line): HTMLElement {
  const { name, href } = line
  return element(
    'tr',
    element('th', { scope: 'row' }, href === undefined ? name : element('a', { href }, name)),
    elements(
      'td',
      Object.values(FIGURES).map((figure) => figure(line)),
    ),
  )
}

/** The conclusion of a rehearsal, and the changed answers beside the recorded ones. */
function rehearsalView({ id, conclusion }: NonNullable<ReportIndex['rehearsal']>): HTMLElement {
  const answers = element('div')
  fillLoaded(answers, load('rehearsal', id).then(answersView))
  return element(
    'section.rehearsal',
    element('h2', 'Rehearsal'),
    elements('p', conclusion),
    answers,
  )
}

function answersView({ others, words }: ReportRehearsal): Child {
  return [
    others.map(answerView),
    words.length > 0 &&
      element(
        'details',
        element('summary', `${countOf(words.length, 'answer')} in other words`),
        words.map(answerView),
      ),
  ]
}

function answerView(answer: RehearsedAnswer): HTMLElement {
  const { title, path, exchange, verdict, says, recorded, now } = answer
  return element(
    'article.rehearsed',
    element(
      'h3',
      element('a', { href: linkToCassette(path, exchange) }, `${title}, ${exchange}`),
      `: ${verdict}`,
    ),
    says.length > 0 && element('ul', elements('li', says)),
    element('div.sides', sideView('recorded', recorded), now !== undefined && sideView('now', now)),
  )
}

function sideView(name: string, text: string): HTMLElement {
  return element(
    'section',
    { 'aria-label': name },
    element('h4', name),
    element('pre', { tabindex: 0 }, text),
  )
}
