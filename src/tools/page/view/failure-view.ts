import type { FailureLine, FailureRow, PicturePair } from '../data/report-data.ts'
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
  const content = async (): Promise<Child> => {
    const { lines, pictures } = await load('failure', row.id)
    return [linesView(lines), pictures.map(picturesView)]
  }
  const body = element('div.failure-body')
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

function picturesView({ recorded, asked }: PicturePair): Child {
  const before = recorded === undefined ? undefined : { file: recorded, label: 'recorded' }
  if (asked === undefined) return before && fileView(before)
  return fileView({ file: asked, label: 'asked' }, before)
}
