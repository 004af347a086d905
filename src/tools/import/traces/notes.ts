import { placeholderOf } from '../../../secrets/placeholder.ts'
import { CREDENTIAL } from '../without-credentials.ts'
import type { MadeOfTrace } from './make-trace-cassette.ts'
import type { CutText, NotHeld } from './model-call.ts'
import type { PersonalText } from './personal.ts'
import { ownText } from './summaries.ts'

/** What a person should know of the cassette of a trace. */
export interface TraceNotes {
  credentials: number
  personal: PersonalText[]
  /** At how many of its calls each part is missing. */
  notHeld: Map<NotHeld, number>
  /** How many of its calls have further choices. */
  choices: number
  /** The parameters that are compared only with a request that has them. */
  ifSent: string[]
  /** The texts that were cut, shortened for people. */
  cut: Array<Pick<CutText, 'text' | 'why'>>
}

/** What stands for a credential is told as one. */
const CREDENTIAL_TEXT = placeholderOf(CREDENTIAL)

/** The longest text that is kept to be told. */
const MOST_TEXT = 500

/** What is to be told of a cassette, without what it is made of. */
export function notesOn({ calls, credentials, personal }: MadeOfTrace): TraceNotes {
  const parts = calls.flatMap(({ notHeld }) => notHeld)
  return {
    credentials,
    choices: calls.filter(({ answer }) => answer.otherChoices).length,
    ifSent: [...new Set(calls.flatMap((call) => call.ifSent ?? []))],
    personal: personal.map(({ kind, text }) => ({ kind, text: shortened(text) })),
    notHeld: new Map(
      Array.from(
        Map.groupBy(parts, (part) => part),
        ([part, all]) => [part, all.length],
      ),
    ),
    cut: calls.flatMap(({ cut }) =>
      cut
        .filter(({ text }) => text !== CREDENTIAL_TEXT)
        .map(({ text, why }) => ({ text: shortened(text), why })),
    ),
  }
}

function shortened(text: string): string {
  return ownText(text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text)
}
