import type { RehearsedAnswer, ReportIndex } from '../data/report-data.ts'
import { linkToCassette } from '../data/report-link.ts'
import { countOf } from '../../diff/render/count-of.ts'
import { element, fill } from './element.ts'
import { load } from './load.ts'

/** The conclusion of a rehearsal, and the changed answers beside the recorded ones. */
export function rehearsalView({
  id,
  conclusion,
}: NonNullable<ReportIndex['rehearsal']>): HTMLElement {
  const answers = element('div', {}, element('p', { class: 'quiet' }, 'Loading…'))
  load('rehearsal', id).then(
    ({ others, words }) =>
      fill(
        answers,
        others.map(answerView),
        words.length > 0 &&
          element(
            'details',
            {},
            element('summary', {}, `${countOf(words.length, 'answer')} in other words`),
            words.map(answerView),
          ),
      ),
    (error: Error) => fill(answers, element('p', { class: 'problem' }, error.message)),
  )
  return element(
    'section',
    { class: 'rehearsal' },
    element('h2', {}, 'Rehearsal'),
    conclusion.map((line) => element('p', {}, line)),
    answers,
  )
}

function answerView(answer: RehearsedAnswer): HTMLElement {
  const { title, path, exchange, verdict, says, recorded, now } = answer
  return element(
    'article',
    { class: 'rehearsed' },
    element(
      'h3',
      {},
      element('a', { href: linkToCassette(path, exchange) }, `${title}, ${exchange}`),
      `: ${verdict}`,
    ),
    says.length > 0 &&
      element(
        'ul',
        {},
        says.map((one) => element('li', {}, one)),
      ),
    element(
      'div',
      { class: 'sides' },
      sideView('recorded', recorded),
      now !== undefined && sideView('now', now),
    ),
  )
}

function sideView(name: string, text: string): HTMLElement {
  return element(
    'section',
    { 'aria-label': name },
    element('h4', {}, name),
    element('pre', { tabindex: 0 }, text),
  )
}
