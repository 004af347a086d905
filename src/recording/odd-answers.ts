import { type Cassette, type Exchange, isRecorded } from '../cassette/cassette.ts'
import { textOf } from '../wire/body.ts'
import { isMcpAddress } from '../wire/address.ts'
import { mayBeOdd } from './may-be-odd.ts'
import { safe } from '../secrets/notes.ts'

/** What is odd about an answer: an error, one that its provider did not end, or nothing that a model says. */
export interface Oddity {
  kind: 'error' | 'broken' | 'foreign'
  /** One line for people: `404 The model does not exist`, `text/html`; empty for what is broken. */
  what: string
}

/** An exchange with an odd answer. */
export interface OddExchange extends Oddity {
  exchange: Exchange
}

type Answers = Pick<Cassette, 'exchanges'>

/** The odd answers of a recording that the one before did not have. */
export interface OddAnswers {
  /** Those that stand in the place of a good answer. */
  replacing: OddExchange[]
  /** All others, of which a run tells. */
  beside: OddExchange[]
}

/**
 * Finds the odd answers of a recording. One of a kind that was recorded before is meant, as in the test of how an
 * application takes an error.
 *
 * @param before the recording that it replaces
 */
export function findOdd(fresh: Answers, before: Answers | undefined): OddAnswers {
  const old = (before?.exchanges ?? []).map(judged)
  const known = old.flatMap(({ oddity }) => (oddity ? kindOf(oddity) : []))
  const good = old.filter(({ oddity }) => !oddity)
  const goodPrompts = new Set(good.map(({ exchange }) => exchange.prompt.hash))
  const all = fresh.exchanges.map(judged)
  const odd = all.flatMap(({ exchange, oddity }): OddExchange[] => {
    if (!oddity) return []
    const at = known.indexOf(kindOf(oddity))
    if (at < 0) return [{ exchange, ...oddity }]
    known.splice(at, 1)
    return []
  })
  const hasFewer = all.filter(({ oddity }) => !oddity).length < good.length
  const isReplacing = ({ exchange: { prompt } }: OddExchange): boolean =>
    hasFewer || (prompt.hash !== undefined && goodPrompts.has(prompt.hash))
  return {
    replacing: odd.filter(isReplacing),
    beside: odd.filter((one) => !isReplacing(one)),
  }
}

/** Whether there is something odd about an answer. */
export function isOdd(exchange: Exchange): boolean {
  return oddityOf(exchange) !== undefined
}

function judged(exchange: Exchange): { exchange: Exchange; oddity: Oddity | undefined } {
  return { exchange, oddity: oddityOf(exchange) }
}

/** Another error of the same status says the same in other words. */
function kindOf({ kind, what }: Oddity): string {
  return kind === 'error' ? `error ${what.split(' ')[0]}` : kind
}

/** The operations to which a model says something. */
const SAYS = new Set<unknown>(['chat', 'generate_content', 'text_completion'])

/** The most characters of an error that are repeated. */
const MAX_SAID = 120

/** What is odd about an answer; `undefined` where nothing is. An answer that its application left is not. */
export function oddityOf(exchange: Exchange): Oddity | undefined {
  if (!mayBeOdd(exchange)) return undefined
  const { response } = exchange
  if (!isRecorded(exchange)) {
    const { status = 400 } = exchange.response as { status?: number }
    return response.error === undefined ? undefined : errorOf(status, response.error)
  }
  const { request, response: wire } = exchange.wire
  const { status, headers, body, aborted } = wire
  // What a tool answers, its errors too, is read by the model.
  const isTool = isMcpAddress(request.url)
  if (!isTool && (status >= 400 || response.error !== undefined))
    return errorOf(status, response.error ?? '')
  // Bytes, such as audio, have no end that can be read.
  const isUnread = body.kind === 'empty' || (body.kind === 'bytes' && wire.cut !== true)
  if (status >= 300 || aborted !== undefined || isUnread) return undefined
  const type = (headers['content-type'] ?? '').split(';')[0]!
  if (response.incomplete)
    return wire.cut !== true && /^\s*</.test(textOf(body))
      ? { kind: 'foreign', what: type || 'a page' }
      : { kind: 'broken', what: '' }
  const isSilent = !response.reasoning && !response.tool_calls && !response.finish_reasons
  if (body.kind !== 'json' || isTool || !isSilent || response.text !== '' || response.usage)
    return undefined
  return SAYS.has(exchange.prompt.metadata.operation)
    ? { kind: 'foreign', what: type || 'JSON' }
    : undefined
}

function errorOf(status: number, said: string): Oddity {
  // Cut afterwards: a part of a key looks like none.
  const line = safe(said)
    .replace(/^HTTP \d+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const shown = line.length > MAX_SAID ? `${line.slice(0, MAX_SAID)}…` : line
  return { kind: 'error', what: `${status} ${shown}`.trim() }
}
