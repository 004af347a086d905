import type { Completion } from '../../prompt/completion.ts'
import type { Judged } from '../rehearse/judge-asking.ts'
import type { Report } from '../rehearse/make-report.ts'
import { verdictText } from '../rehearse/report-words.ts'
import { writeDataFile } from './data-file.ts'
import type { RehearsedAnswer, ReportRehearsal } from './data/report-data.ts'
import type { ReportFolder } from './report-folder.ts'
import { showJson, showSpelled, showText } from './show-text.ts'

/** A report has one rehearsal at most. */
const ID = 'rehearsal'

/** Writes the changed answers of a rehearsal to a data file, and returns its id and conclusion. */
export function writeRehearsal(
  target: ReportFolder,
  { conclusion, judged, others }: Report,
): { id: string; conclusion: string[] } {
  const rehearsal: ReportRehearsal = {
    id: ID,
    others: others.map(describe),
    words: judged.filter(({ verdict }) => verdict === 'words').map(describe),
  }
  target.write(`data/${ID}.js`, writeDataFile('rehearsal', rehearsal))
  return { id: ID, conclusion: conclusion.map(showText) }
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
