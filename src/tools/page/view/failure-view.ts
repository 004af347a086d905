import type { FailureLine, FailureRow, ReportFailure } from '../data/report-data.ts'
import { linkToCassette } from '../data/report-link.ts'
import { countOf } from '../../../text/count-of.ts'
import { disclosure } from './disclosure.ts'
import { element, type Child } from './element.ts'
import { load } from './load.ts'
import { fileView } from './picture-view.ts'

/** The most tests that are listed; the others are counted. */
const MAX_TESTS = 10

/** A failure with its diff. */
export function failureView(row: FailureRow, isOpen: boolean): HTMLElement {
  const body = element('div.failure-body')
  const content = async (): Promise<Child> => {
    const failure = await load('failure', row.id)
    return [linesView(failure.lines), picturesView(failure)]
  }
  const toggle = disclosure(row.headline, body, content, 'headline')
  if (isOpen) toggle.click()
  return element('article.failure', element('h2', toggle), body, testsOf(row))
}

function testsOf({ tests }: FailureRow): HTMLElement {
  const shown = tests.slice(0, MAX_TESTS)
  return element(
    'ul.failed-tests',
    { 'aria-label': 'Tests that it fails' },
    shown.map(({ title, path }) =>
      element('li', element('a', { href: linkToCassette(path) }, title)),
    ),
    tests.length > shown.length &&
      element('li.quiet', `and ${countOf(tests.length - shown.length, 'more test')}`),
  )
}

/** The failure as the terminal shows it. */
function linesView(lines: readonly FailureLine[]): HTMLElement {
  return element(
    'pre.diff',
    { tabindex: 0, 'aria-label': 'The failure' },
    lines.map(({ kind, spans }) =>
      element(
        'span',
        { class: kind },
        spans.map(({ text, marked }) => (marked ? element('mark', text) : text)),
        '\n',
      ),
    ),
  )
}

function picturesView({ pictures }: ReportFailure): HTMLElement[] {
  return pictures.flatMap(({ recorded, asked }) => {
    if (asked === undefined)
      return recorded === undefined ? [] : fileView({ file: recorded, label: 'recorded' })
    const before = recorded === undefined ? {} : { before: { file: recorded, label: 'recorded' } }
    return fileView({ file: asked, label: 'asked', ...before })
  })
}
