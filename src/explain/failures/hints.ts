import { askingTwice } from '../facts/asking-twice.ts'
import { madeUpWords } from '../facts/made-up.ts'
import type { MissFacts } from '../facts/miss-facts.ts'
import {
  equalPromptsIn,
  holdsOtherResponses,
  isPaceInPlay,
  unsetVariables,
  wasEdited,
} from '../facts/suspects.ts'
import { paint } from '../labelled.ts'
import { leaveOut } from '../../text/leave-out.ts'
import { printable } from '../../text/printable.ts'
import { adviseOnBaseUrl, adviseOnEnvFile } from './address.ts'
import { adviseOnIdentity, adviseOnParams, adviseOnPart, adviseOnSuggestion } from './volatile.ts'

/** The hints on a miss, each empty where it does not apply: values to declare, variables to set, a changed address. */
const HINTS: ReadonlyArray<(facts: MissFacts) => string> = [
  ofVolatile,
  ofEdited,
  ofAddress,
  ofUnset,
  ofUnlisted,
  ofEqualPrompts,
  ofOtherResponses,
]

/** The hints on a miss whose prompt can be compared. */
export function hintsFor(facts: MissFacts): string[] {
  return facts.closest && !facts.isCompared ? [] : HINTS.map((hint) => hint(facts))
}

function ofVolatile(facts: MissFacts): string {
  const { closest, incoming, session } = facts
  if (closest?.suggestion) return adviseOnSuggestion(closest.suggestion, session, facts.isOfTest)
  const fresh = session.params.newIn(incoming.wire, session.cassette)
  if (fresh.length > 0) return adviseOnParams(fresh)
  if (closest?.identity)
    return adviseOnIdentity(
      incoming.volatile.map(({ rule }) => rule),
      facts.isOfTest,
    )
  const { part } = facts
  if (part) return adviseOnPart(part, session)
  return closest ? ofMadeUp(facts, madeUpWords(closest.changes)) : ''
}

/** The command that finds a rule for words that look made up for each run. */
function ofMadeUp({ session }: MissFacts, words: readonly string[]): string {
  const command = askingTwice(session.test.recordCommand)
  if (!command || words.length === 0) return ''
  const [what, them] = words.length === 1 ? ['This looks', 'it is'] : ['These look', 'they are']
  return [
    `${what} made up. If ${them} different in every run, this command says how to declare that:`,
    ...words.slice(0, 3).map((word) => printable(`  ${word}`)),
    `  ${paint.bold(command)}`,
  ].join('\n')
}

function ofEdited({ session, closest }: MissFacts): string {
  if (!closest || !wasEdited(session, closest.recorded)) return ''
  return `The request of ${closest.recorded.exchange.id} was edited in the cassette after it was recorded, as its hash shows. If nobody meant that, restore the file from git.`
}

function ofAddress(facts: MissFacts): string {
  const { address, known, incoming } = facts
  if (!facts.differsInAddressAlone) return address
  const advice =
    adviseOnEnvFile(known!.wire, incoming.wire) || adviseOnBaseUrl(known!.wire, incoming.wire)
  return `${address}\n${advice}`
}

function ofUnset({ known, incoming }: MissFacts): string {
  const names = known ? unsetVariables(known.wire, incoming.wire) : []
  if (names.length === 0) return ''
  return `Not set here, though the recorded prompt held its value: ${names.join(', ')}. Any value does.`
}

function ofUnlisted({ unlistedHost }: MissFacts): string {
  return unlistedHost === undefined ? '' : leaveOut(unlistedHost)
}

function ofEqualPrompts({ session, closest }: MissFacts): string {
  const ids = closest ? equalPromptsIn(session.recorded, closest.recorded) : []
  if (ids.length === 0) return ''
  return (
    `The recorded prompt holds the answers of ${ids.join(', ')}, which have one and the same prompt. They are answered in the order in which they are asked.\n` +
    'If your application asks them at the same time, that order may vary: let their prompts differ, by a number for instance.'
  )
}

function ofOtherResponses({ session, known, incoming }: MissFacts): string {
  const isOther =
    known && isPaceInPlay(session) && holdsOtherResponses(session, incoming.wire, known.wire)
  return isOther ? PACE : ''
}

/** Names the option that decides when replay answers. */
export const PACE =
  'Replay gives responses without the time that they took, in the order in which they ended. If your application batches, ' +
  "debounces or polls, it may send other requests then. To replay the recorded times: pace: 'recorded'"
