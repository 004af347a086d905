import { isRecorded, type Exchange } from '../cassette/format/cassette.ts'
import { copyPlain } from '../json/copy-plain.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Prompt } from '../prompt/prompt.ts'
import type { WireResponse } from '../wire/message.ts'
import type { Turn } from './describe.ts'
import type { Incoming } from './incoming.ts'
import type { Params } from './params.ts'
import type { Recording } from './recording.ts'
import type { Suggestion } from './suggest.ts'

/** A request that was answered in this attempt, in the order asked. */
export type Asked = { order: number } & (
  | {
      replayed: Exchange
      incoming: Incoming
      response: WireResponse
      /** What differs although nobody declared it; only a run of `doctor` replays such an exchange. */
      undeclared?: Suggestion
      /** The prompt changed, and the answer was kept; only in mode `prompts`. */
      kept?: true
      recording?: undefined
    }
  | { replayed?: undefined; undeclared?: undefined; kept?: undefined; recording: Recording }
)

/** What a test asked, and what it got. Numbers in it are plain numbers. */
export interface AskedExchange {
  /** What this run asked, as its dialect reads it. */
  prompt: Prompt
  /** The answer, whole also where it was streamed and the application left early. */
  completion: Completion
  /** Where the answer came from: a recording, in this run the provider, or an exchange written by hand. */
  source: 'replayed' | 'recorded' | 'written'
  /** The HTTP status of the answer. */
  status: number
  /** Milliseconds from the request to the end of the answer when it was recorded, where that is known. */
  durationMs?: number
}

/** One reading for each request, so that the same exchange is the same object. */
const known = new WeakMap<Asked, AskedExchange>()

/** What was asked in this run, with its answer, as the test saw it; `undefined` while that is still arriving. */
export function turnOf(asked: Asked, params: Params): Turn | undefined {
  const turn = storedTurnOf(asked)
  return turn && params.showTurn(turn)
}

function storedTurnOf(asked: Asked): Turn | undefined {
  if (asked.replayed) {
    const { incoming, response, replayed } = asked
    return { incoming, response, durationMs: replayed.response.duration_ms }
  }
  const { incoming, response, durationMs } = asked.recording
  // The answer over a socket grows; its duration is known at its end.
  return response && durationMs !== undefined ? { incoming, response, durationMs } : undefined
}

/** Reads a request with its answer; `undefined` while the answer is still arriving. */
export function readAsked(asked: Asked, params: Params): AskedExchange | undefined {
  if (known.has(asked)) return known.get(asked)
  const turn = turnOf(asked, params)
  if (!turn) return undefined
  const { incoming, response, durationMs } = turn
  const { prompt, dialect } = incoming
  const exchange: AskedExchange = {
    ...copyPlain({ prompt, completion: dialect.readCompletion(response) }),
    source: sourceOf(asked),
    status: response.status,
    ...(durationMs === undefined ? {} : { durationMs }),
  }
  known.set(asked, exchange)
  return exchange
}

function sourceOf({ replayed }: Asked): AskedExchange['source'] {
  if (!replayed) return 'recorded'
  return isRecorded(replayed) ? 'replayed' : 'written'
}
