import type { Completion } from '../../prompt/completion.ts'
import type { Judged } from './judge-asking.ts'
import type { Report } from './make-report.ts'
import { verdictText } from './report-words.ts'
import type { RehearsedAnswer } from '../page/data/report-data.ts'
import type { PageRehearsal } from '../page/write-report.ts'
import { showJson, showSpelled, showText } from '../page/show-text.ts'

/** The changed answers of a rehearsal, as the page shows them. */
export function rehearsalForPage({ conclusion, judged, others }: Report): PageRehearsal {
  return {
    conclusion: conclusion.map(showText),
    others: others.map(describe),
    words: judged.filter(({ verdict }) => verdict === 'words').map(describe),
  }
}

function describe(one: Judged): RehearsedAnswer {
  const { test, cassette, exchange, differences, why, before, now } = one
  return {
    title: showText(test),
    path: cassette,
    exchange,
    verdict: verdictText(one),
    says: [...(why === undefined ? [] : [why]), ...differences.map(({ says }) => says)].map(
      showText,
    ),
    recorded: answerText(before),
    ...(now ? { now: answerText(now) } : {}),
  }
}

/** The text, the tool calls and the finish reasons of an answer. */
function answerText({ text, toolCalls, finishReasons }: Completion): string {
  const calls = toolCalls.map(
    ({ name, arguments: given }) => `${showText(name)}(${showJson(given)})`,
  )
  const end = finishReasons.length > 0 ? [`(${showText(finishReasons.join(', '))})`] : []
  return [...(text.trim() === '' ? [] : [showSpelled(text)]), ...calls, ...end].join('\n\n')
}
