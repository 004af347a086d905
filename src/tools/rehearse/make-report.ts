import { dollarsText, type UsageTotal } from '../../conversation/cost.ts'
import { countOf } from '../../text/count-of.ts'
import { usageText } from '../programs/outlook.ts'
import { describeSince, type HistoryEntry } from './history.ts'
import type { Judged } from './judge-asking.ts'
import type { LeftOut } from './question.ts'
import { hasDrifted, tally, tallyByTest, type Tally } from './tally.ts'

/** The result of a rehearsal, for a terminal, for Markdown and for programs. */
export interface Report {
  /** In sentences. */
  conclusion: string[]
  hasDrifted: boolean
  /** Why it stopped early. */
  stopped?: string
  spent: UsageTotal
  tests: Tally[]
  total: Tally
  judged: Judged[]
  /** Answers that behave differently, and prompts that the provider rejects. */
  others: Judged[]
  leftOut: LeftOut[]
}

export interface RehearsalInput {
  judged: Judged[]
  /** Those whose usage counts in totals: of the questions that are equal, and share their calls, the first. */
  once: Judged[]
  leftOut: LeftOut[]
  spent: UsageTotal
  stopped?: string
  maxCost?: number
  /** How many samples of a question have to behave as recorded. */
  agree?: number
  /** The last rehearsal in the history. */
  before?: HistoryEntry
}

/** Makes the report of a rehearsal. */
export function makeReport(input: RehearsalInput): Report {
  const { judged, once, leftOut, spent, stopped, agree, before } = input
  const others = judged.filter(({ verdict }) => verdict === 'other' || verdict === 'fails')
  const drifted = judged.filter((one) => hasDrifted(one, agree))
  const total = tally('all', judged, once)
  const conclusion = [
    describeTotal(total, drifted.length),
    ...(before ? [describeSince(before, drifted)] : []),
    ...(leftOut.length > 0
      ? [
          `${countOf(leftOut.length, 'recorded prompt')} cannot be asked again, and ${leftOut.length === 1 ? 'is' : 'are'} left out.`,
        ]
      : []),
    `Spent: ${usageText(spent)}.`,
    ...(stopped === undefined ? [] : [describeStop(stopped, once, input.maxCost)]),
  ]
  return {
    conclusion,
    hasDrifted: drifted.length > 0,
    ...(stopped === undefined ? {} : { stopped }),
    spent,
    tests: tallyByTest(judged),
    total,
    judged,
    others,
    leftOut,
  }
}

function describeTotal({ verdicts, answers }: Tally, drifted: number): string {
  const { same, words, other, fails } = verdicts
  const asked = answers - verdicts['not asked']
  const kinds = [
    `${same} the same`,
    `${words} in other words`,
    `${other} ${other === 1 ? 'behaves' : 'behave'} otherwise`,
    ...(fails > 0 ? [`${fails} ${fails === 1 ? 'fails' : 'fail'}`] : []),
  ]
  const excused = other + fails - drifted
  const stable = excused > 0 ? ` ${excused} of them often enough as recorded.` : ''
  return `${countOf(asked, 'answer')}: ${kinds.join(', ')}.${stable}`
}

function describeStop(why: string, once: readonly Judged[], maxCost: number | undefined): string {
  const notAsked = once.filter(({ verdict }) => verdict === 'not asked').length
  const cap = maxCost === undefined ? '' : ` At most ${dollarsText(maxCost)} may be spent.`
  return (
    `It stopped: ${why}.${cap} ${countOf(notAsked, 'prompt')} ${notAsked === 1 ? 'was' : 'were'} not asked. ` +
    'The paid answers are kept: the same command continues from there.'
  )
}
