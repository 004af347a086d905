import { resolve } from 'node:path'
import { dollarsText, sumUsage } from '../../../conversation/cost.ts'
import { askingOf } from '../asking.ts'
import { addEntry, lastEntry, historyEntryOf } from '../history.ts'
import { judgeAsking, type UserJudge } from '../judge-asking.ts'
import { PaidAnswersFile } from '../paid-answers-file.ts'
import { describeRehearsal, describeState, outlookOf } from '../outlook.ts'
import { keyOf } from '../question.ts'
import { callsLeft, callsOf, newState, rehearseAll } from '../rehearsal.ts'
import { makeReport, type Report } from '../make-report.ts'
import { hasDrifted } from '../tally.ts'
import type { Terminal } from '../../terminal/command.ts'
import type { RecordedPrompts } from './read-all.ts'
import { refuseKeyless, refuseUnpriced } from './refuse.ts'
import type { RehearseWords } from './words.ts'

/**
 * Prints what a rehearsal will cost, sends its calls, and resolves to its report.
 *
 * @throws CassetteError `invalid-command` if a key is missing, or a price that `--max-cost` needs.
 */
export async function askAll(
  recorded: RecordedPrompts,
  words: RehearseWords,
  judge: UserJudge | undefined,
  terminal: Terminal,
): Promise<Report> {
  const { samples, prices, maxCost, history, agree } = words
  const asked = recorded.questions.map((question) => askingOf(question, words.models, words.at))
  const askings = asked.flatMap((one) => ('why' in one ? [] : [one]))
  const leftOut = [...recorded.leftOut, ...asked.flatMap((one) => ('why' in one ? [one] : []))]
  const calls = callsOf(askings, samples)
  const kept = new PaidAnswersFile(terminal.cwd)
  const left = callsLeft(calls, kept)
  const prompts = calls.length / samples
  const outlook = describeRehearsal(prompts, calls.length, left.length, outlookOf(left, prices))
  refuseKeyless(left, words, terminal.env)
  if (maxCost !== undefined) refuseUnpriced(left, words)
  const cap = maxCost === undefined ? '' : ` At most ${dollarsText(maxCost)} is spent.`
  // Standard output is for the report.
  terminal.warn(`${outlook}${cap}`)
  const state = newState(calls)
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const asking = rehearseAll(calls, state, {
      ...words,
      env: terminal.env,
      kept,
      signal: stop.signal,
    })
    await terminal.progress.during(asking, () => describeState(state, sumUsage(state.spent)))
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
  const { stopped, answers, spent } = state
  const judged = await Promise.all(askings.map((asking) => judgeAsking(asking, answers, judge)))
  const shared = new Set<string>()
  const once = judged.filter((_, index) => {
    const { size } = shared
    return shared.add(keyOf(askings[index]!)).size > size
  })
  const file = history === undefined ? undefined : resolve(terminal.cwd, history)
  const before = file === undefined ? undefined : lastEntry(file)
  const report = makeReport({
    judged,
    once,
    leftOut,
    spent: sumUsage(spent),
    ...(stopped === undefined ? {} : { stopped }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(agree === undefined ? {} : { agree }),
    ...(before ? { before } : {}),
  })
  if (stopped !== undefined) return report
  await kept.forget(calls.map(({ key }) => key))
  const drifted = judged.filter((one) => hasDrifted(one, agree))
  if (file !== undefined) addEntry(file, historyEntryOf(drifted, judged, once, new Date()))
  return report
}
