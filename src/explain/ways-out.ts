import pc from 'picocolors'
import { inMode } from '../text/command-line.ts'
import {
  countExchange,
  dollarsText,
  PriceTable,
  sumUsage,
  type UsageTotal,
} from '../conversation/cost.ts'
import { countableOf } from '../conversation/usage.ts'
import { countOf } from '../text/count-of.ts'
import { textSimilarity } from '../diff/similarity.ts'
import type { Incoming } from '../engine/incoming.ts'
import { keepAnswer } from '../features/keep-answer.ts'
import { findUnasked } from '../features/unasked.ts'
import { comparedPromptFor } from '../engine/read-prompt.ts'
import type { Recorded } from '../engine/recorded.ts'
import type { Miss } from '../engine/session-contract.ts'
import type { Session } from '../engine/session.ts'
import { isUnasked } from '../wire/imported.ts'
import { exchangesStillAsked } from './facts/still-asked.ts'

/** A command that resolves a miss, and a description of its effect and cost. */
export interface WayOut {
  command: string
  takes: string
}

/** The description of a command that calls no provider. */
export const KEEPS_ANSWERS = 'keep the recorded answers, and send no request'

/** The same, where it was imported and nobody knows the prompt of the answers. */
const TAKES_PROMPTS =
  'take over the prompts of this run, compare them from then on, and send no request'

/** The description of a command that records what the cassette does not have. */
const RECORDS_MORE = 'keep the recorded answers, and record what is missing'

/**
 * Whether the recorded answer can stay, though its prompt changed. A question that was added takes the place of the next
 * one, whose own prompt then finds no place: a question in other words counts as added.
 */
export function canKeepAnswer(session: Session, { incoming, reason }: Miss): boolean {
  if (session.config.mode !== 'replay' || reason !== 'unmatched') return false
  // Where a test asks for what its file has, the answer would be kept for another cassette.
  if (!session.misses.some((miss) => miss.incoming === incoming)) return false
  const known = keepAnswer(session, incoming).found?.recorded.incoming
  return known !== undefined && (isUnasked(known.wire) || isSameQuestion(known, incoming))
}

/** Whether two prompts ask the same, though in other words. */
export function isSameQuestion(one: Incoming, other: Incoming): boolean {
  return textSimilarity(questionOf(one), questionOf(other)) >= SAME_QUESTION
}

/** The share of their words that two versions of one question have in common. */
const SAME_QUESTION = 0.5

/** The text of the last message of the user. */
function questionOf(incoming: Incoming): string {
  const { messages } = comparedPromptFor(incoming)
  const texts = messages.flatMap(({ role, parts }) => {
    const words = parts.flatMap((part) => (part.type === 'text' ? part.text : []))
    return role === 'user' && words.length > 0 ? words.join(' ') : []
  })
  return texts.at(-1) ?? ''
}

/** The usage of the exchanges of a cassette when they were recorded. */
export function tookOf(recorded: readonly Recorded[], session: Session): UsageTotal {
  const prices = new PriceTable(session.config.prices)
  return sumUsage(recorded.map(({ exchange }) => countExchange(countableOf(exchange), prices)))
}

/**
 * The ways out of a miss in a cassette, the cheapest first.
 *
 * @param keeps whether the recorded answer can stay
 */
export function waysOut(
  session: Session,
  miss: Miss,
  keeps: boolean = canKeepAnswer(session, miss),
): WayOut[] {
  const { test, config } = session
  const recorded = exchangesStillAsked(session)
  const command = test.recordCommand
  const all = { command, takes: describeTaking(tookOf(recorded, session)) }
  if (config.mode !== 'replay') return [all]
  const left = recorded.filter(({ played }) => !played)
  const ways: WayOut[] = []
  if (keeps) {
    const takes = findUnasked(session, miss.incoming) ? TAKES_PROMPTS : KEEPS_ANSWERS
    ways.push({ command: inMode(command, 'prompts'), takes })
  }
  // A socket that is replayed cannot go on live.
  const isSocket = /^wss?:/.test(miss.incoming.wire.url)
  if (left.length < recorded.length && !isSocket) {
    const takes =
      left.length > 0 ? describeTaking(tookOf(left, session), recorded.length) : RECORDS_MORE
    ways.push({ command: inMode(command, 'new'), takes })
  }
  return [...ways, all]
}

/** The ways out for a test that asks for less than is recorded, the cheapest first. */
export function waysToAskLess(session: Session): WayOut[] {
  const { recorded, unused, test } = session
  const asked = recorded.filter((one) => !unused.includes(one))
  const drop = 'drop what is not asked for, and send no request'
  return [
    { command: inMode(test.recordCommand, 'new'), takes: drop },
    { command: test.recordCommand, takes: describeTaking(tookOf(asked, session)) },
  ]
}

/** The remedy for an invalid recording. If the objection lasts, a new recording of the same model is invalid too. */
export function howToRecord(what: 'it' | 'them', lasts: boolean): string {
  return lasts ? `Ask another model in your code, and record ${what} again` : `Record ${what} again`
}

/** The end of a sentence: the one way, or a list of them. */
export function renderWays(ways: readonly WayOut[], color = true): string {
  const { bold } = pc.createColors(color)
  const [indent, first] = ways.length > 1 ? ['  ', 'the cheapest first:\n'] : ['', '']
  const lines = ways.map(({ command, takes }) => `${indent}${takes}:\n${indent}  ${bold(command)}`)
  return first + lines.join('\n')
}

/** `record 4 of 12 calls again, about $0.02` */
export function describeTaking(took: UsageTotal, among: number = took.exchanges): string {
  const count = took.exchanges < among ? `${took.exchanges} of ` : ''
  return `record ${count}${countOf(among, 'call')} again${describeCost(took)}`
}

function describeCost({ cost, unpriced }: UsageTotal): string {
  if (cost === 0) return ''
  if (unpriced > 0) return `, more than ${dollarsText(cost)}`
  return cost < 0.01 ? ', for less than a cent' : `, about ${dollarsText(cost)}`
}

/**
 * Names the hosts to which programs opened tunnels into which nobody here can see.
 *
 * @param tunnels the host and the port of each, with the program
 */
export function explainTunnels(
  tunnels: ReadonlyArray<readonly [host: string, program: string]>,
): string {
  const hosts = Map.groupBy(tunnels, ([host]) => host)
  return [
    'programs opened tunnels into which nothing here can look. What they sent there went out, in replay too:',
    ...[...hosts.values()].map(([first]) => `  ${first![0].replace(/:443$/, '')} (${first![1]})`),
    'If a model answers at such a host, add it to the option hosts: its calls are then recorded and replayed. If none does, add it to allowHosts, and it is no longer named here.',
  ].join('\n')
}
