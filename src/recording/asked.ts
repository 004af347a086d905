import { isRecorded } from '../cassette/cassette.ts'
import {
  type AssistantEntry,
  type Conversation,
  countTurns,
  type Entry,
  readConversations,
} from '../conversation/conversation.ts'
import { countExchange, PriceTable, sumUsage, type UsageTotal } from '../conversation/cost.ts'
import type { PairedCall } from '../conversation/entries.ts'
import type { Params } from '../conversation/params.ts'
import { readIncoming } from '../engine/incoming.ts'
import { completionFor, promptFor } from '../engine/read-prompt.ts'
import type { AskedRequest } from '../engine/session-contract.ts'
import type { Session } from '../engine/session.ts'
import { copyPlain } from '../json/walk.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { describeTurns, type Turn } from './describe.ts'

/** One request of a test, and its answer. Numbers in it are plain numbers. */
export interface AskedExchange {
  /** The prompt of this run, as its dialect reads it. */
  prompt: Prompt
  /** The answer, whole also where it was streamed and the application left early. */
  completion: Completion
  /** The origin of the answer: a recording, the provider in this run, an exchange written by hand, or a speaker. */
  source: 'replayed' | 'recorded' | 'written' | 'spoken'
  /** The speaker that answered: `cassette`, `live`, or the name of a speaker of the test. */
  speaker: string
  /** The HTTP status of the answer. */
  status: number
  /** Milliseconds from the request to the end of the answer when it was recorded, where that is known. */
  durationMs?: number
}

/** One reading for each request, so that the same exchange is the same object. */
const known = new WeakMap<AskedRequest, AskedExchange>()

/** The requests and answers so far, in order of creation; answers that are still arriving are left out. */
export function exchangesOf({ asked, params }: Session): AskedExchange[] {
  return asked.flatMap((one) => readAsked(one, params) ?? [])
}

/** The same, as turns of conversations. */
export function turnsOf({ asked, params }: Session): Turn[] {
  return asked.flatMap((one) => turnOf(one, params) ?? [])
}

/**
 * A request of this run with its answer, as the test saw them: with the values of this run in place of placeholders.
 * `undefined` while the answer is still arriving.
 */
function turnOf(asked: AskedRequest, params: Params): Turn | undefined {
  const turn = storedTurnOf(asked)
  if (!turn) return undefined
  const { wire, before } = turn.incoming
  const shown = params.show(wire)
  const incoming = shown === wire ? turn.incoming : readIncoming(shown, { before })
  return { ...turn, incoming, response: params.show(turn.response) }
}

function storedTurnOf(asked: AskedRequest): Turn | undefined {
  if (asked.replayed) {
    const { incoming, response, replayed } = asked
    return { incoming, response, durationMs: replayed.response.duration_ms }
  }
  const { incoming, response, durationMs } = asked.recording
  // The answer over a socket grows; its duration is known at its end.
  return response && durationMs !== undefined ? { incoming, response, durationMs } : undefined
}

/** Reads a request with its answer; `undefined` while the answer is still arriving. */
function readAsked(asked: AskedRequest, params: Params): AskedExchange | undefined {
  if (known.has(asked)) return known.get(asked)
  const turn = turnOf(asked, params)
  if (!turn) return undefined
  const { incoming, response, durationMs } = turn
  const exchange: AskedExchange = {
    ...copyPlain({
      prompt: promptFor(incoming),
      completion: completionFor(response, incoming),
    }),
    source: sourceOf(asked),
    speaker: asked.speaker ?? (asked.replayed ? 'cassette' : 'live'),
    status: response.status,
    ...(durationMs === undefined ? {} : { durationMs }),
  }
  known.set(asked, exchange)
  return exchange
}

function sourceOf({ replayed, speaker }: AskedRequest): AskedExchange['source'] {
  if (speaker) return 'spoken'
  if (!replayed) return 'recorded'
  return isRecorded(replayed) ? 'replayed' : 'written'
}

/** Adds up the usage of exchanges; failed and hand-written ones are free. */
export function usageOfAsked(session: Session, exchanges: readonly AskedExchange[]): UsageTotal {
  const table = new PriceTable(session.config.prices)
  const counted = exchanges.map(({ prompt, completion, source, status, durationMs }) => {
    const isFree = source === 'written' || status >= 400
    return countExchange(
      {
        model: prompt.model,
        parameters: prompt.parameters,
        usage: completion.usage,
        isFree,
        durationMs,
      },
      table,
    )
  })
  return sumUsage(counted)
}

/** One conversation of a test. */
export interface AskedConversation extends Omit<Conversation, 'steps'> {
  /** How often a user spoke. */
  turns: number
  /** The tool calls of the model, each with the result that the application sent back. */
  calls: PairedCall[]
}

/** The requests and answers of a test so far, linked into conversations. */
export function askedConversations(session: Session): AskedConversation[] {
  // The times of later entries are this time plus the durations before them.
  const timestamp = session.cassette?.timestamp ?? new Date().toISOString()
  const exchanges = describeTurns(turnsOf(session))
  return readConversations({ conversationId: '', timestamp, exchanges }).map((conversation) => {
    const { steps: _, ...said } = conversation
    const calls = said.entries.flatMap((entry) => (isOfModel(entry) ? entry.calls : []))
    return copyPlain({ ...said, turns: countTurns([conversation]), calls })
  })
}

function isOfModel(entry: Entry): entry is AssistantEntry {
  return entry.role === 'assistant' && entry.server === undefined
}
