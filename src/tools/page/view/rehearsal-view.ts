import type { RehearsedAnswer, ReportIndex, ReportRehearsal } from '../data/report-data.ts'
import { linkToCassette } from '../data/report-link.ts'
import { countOf } from '../../../text/count-of.ts'
import { fillLoaded } from './disclosure.ts'
import { element, type Child } from './element.ts'
import { load } from './load.ts'

/** The conclusion of a rehearsal, and the changed answers beside the recorded ones. */
export function rehearsalView({
  id,
  conclusion,
}: NonNullable<ReportIndex['rehearsal']>): HTMLElement {
  const answers = element('div')
  fillLoaded(answers, load('rehearsal', id).then(answersView))
  return element(
    'section.rehearsal',
    element('h2', 'Rehearsal'),
    conclusion.map((line) => element('p', line)),
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
    says.length > 0 &&
      element(
        'ul',
        says.map((one) => element('li', one)),
      ),
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
