import pc from 'picocolors'
import type { Exchange } from '../../cassette/cassette.ts'
import {
  type Conversation,
  type Entry,
  readConversations,
} from '../../conversation/conversation.ts'
import { findPictures } from '../../conversation/find-pictures.ts'
import { writeTranscript } from '../../conversation/transcript.ts'
import type { Session } from '../../engine/session.ts'
import { turnsOf } from '../../recording/asked.ts'
import { describeTurns } from '../../recording/describe.ts'
import { type Safe, veilOf } from '../../secrets/veil.ts'
import { countOf } from '../../text/count-of.ts'
import { printable } from '../../text/printable.ts'
import type { WireResponse } from '../../wire/message.ts'

/** The answer to a request that nothing answers. */
const NONE: WireResponse = { status: 200, headers: {}, body: { kind: 'empty' } }

/** Each failed test sends its text to the process of Vitest, and a run can have thousands of them. */
const MAX_LENGTH = 20_000

/** Most of a text is laid out in vain, and one of many megabytes takes all memory. */
const MAX_READ = 2_000_000

/**
 * What a test asked in this run and what it was answered, up to the request that nothing answers, as plain text without
 * secrets. `undefined` where it asked nothing. An error here must not hide the failure of the test.
 */
export function tellConversations(session: Session): string | undefined {
  try {
    return tellAll(session)
  } catch (error) {
    const why = veilOf(session).hide((error as Error).message)
    return `The conversation cannot be shown: ${printable(why)}`
  }
}

function tellAll(session: Session): string | undefined {
  const answered = turnsOf(session)
  const missed = session.misses.map(({ incoming }) => ({ incoming, response: NONE }))
  const exchanges = describeTurns([...answered, ...missed])
  if (exchanges.length === 0) return undefined
  const lengths = exchanges.map(({ prompt, response }) => prompt.text.length + response.text.length)
  const length = lengths.reduce((sum, one) => sum + one)
  if (length > MAX_READ)
    return `The conversation is too long to be shown here: ${countOf(length, 'character')}.`
  const open = new Set(exchanges.slice(answered.length).map(({ id }) => id))
  const timestamp = session.cassette?.timestamp ?? new Date().toISOString()
  const veil = veilOf(session).learn(exchanges)
  const conversations = veil.hide(readConversations({ conversationId: '', timestamp, exchanges }))
  const texts = conversations.map((one) => tell(one, exchanges, open))
  const text =
    texts.length === 1
      ? texts[0]!
      : conversations.map(({ thread }, at) => `--- ${thread} ---\n\n${texts[at]}`).join('\n\n')
  return endOf(text)
}

/** One conversation, with a line for each of its requests that nothing answers. */
function tell(
  conversation: Safe<Conversation>,
  exchanges: readonly Exchange[],
  open: ReadonlySet<string>,
): string {
  const isSaid = (entry: Entry): boolean =>
    entry.role !== 'assistant' || !entry.completion || !open.has(entry.exchange)
  const said = { ...conversation, entries: conversation.entries.filter(isSaid) }
  const text = writeTranscript(said, {
    // A page may have no font for them.
    emoji: false,
    unfold: 'left out here',
    colors: pc.createColors(false),
    pictures: findPictures(exchanges),
  })
  const unanswered = conversation.steps.filter(({ exchange }) => open.has(exchange.id)).length
  if (unanswered === 0) return text
  const what = unanswered === 1 ? 'this request' : `${unanswered} of these requests`
  return `${text}\n\nNothing answers ${what}.`
}

/** The end of a long text, where the failure is, from the start of a line on. */
function endOf(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const end = text.slice(text.indexOf('\n', text.length - MAX_LENGTH) + 1)
  const left = countOf(text.length - end.length, 'earlier character')
  return `... ${left} left out here\n\n${end}`
}
