import type { MergeCassettes } from '../cassette/store.ts'
import { isRecorded, type Cassette, type Exchange } from '../cassette/cassette.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { describeTurns, type Turn } from './describe.ts'
import { inOldOrder, keepAfter } from './smallest-diff/keep-order.ts'
import { mergeExchanges, type MergedTurn } from './smallest-diff/merge-exchanges.ts'

export { mergeTurns } from './smallest-diff/merge-turns.ts'
export { respelledNow, turnsInPlace } from './smallest-diff/turns-in-place.ts'

/** How a recording is made again. */
export interface Rerecording {
  /** The rules for values that may vary between runs. */
  volatile?: readonly VolatileRule[]
  /** True where the age of the recording counts, and every answer was recorded anew. */
  renewsAge?: boolean
  /** True where the recording replaces an invalid one, whose mark is removed. */
  renews?: boolean
  /** True where the order of different prompts does not count, so that they stay where they were. */
  unordered?: boolean
}

/** Makes the function that keeps the unchanged parts of a recording that is made again. */
export function keepUnchanged({
  volatile = [],
  renews = false,
  renewsAge = renews,
  unordered = false,
}: Rerecording = {}): MergeCassettes {
  return (old, fresh) => {
    const merged = keepAfter(mergeExchanges(old.exchanges, fresh.exchanges, volatile), old)
    const turns = unordered ? inOldOrder(merged, old, fresh) : merged
    const { conversationId } = fresh
    const params = fresh.params && { ...fresh.params, ...known(old.params, fresh.params) }
    const proposedParams = proposalsOf(old, fresh)
    const invalid = fresh.invalid ?? (renews ? undefined : old.invalid)
    return {
      conversationId,
      ...datesOf(old, fresh, turns, renewsAge),
      ...(params ? { params } : {}),
      ...(proposedParams ? { proposedParams } : {}),
      ...(invalid ? { invalid } : {}),
      exchanges: describeTurns(turns.map(({ turn }) => turn)),
    }
  }
}

/** Makes a recording anew, and keeps of the old one only what no recording can know: its groups and proposals. */
export const keepParts: MergeCassettes = (old, fresh) => {
  const proposedParams = proposalsOf(old, fresh)
  const turns = mergeExchanges(old.exchanges, fresh.exchanges, [])
  const exchanges = fresh.exchanges.map((exchange, index) => {
    const { part } = turns[index]!.turn
    return part === undefined ? exchange : { ...exchange, part }
  })
  return { ...fresh, ...(proposedParams ? { proposedParams } : {}), exchanges }
}

/** The proposals of a new recording; without any, those of the old one that it does not have as parameters. */
function proposalsOf({ proposedParams = {} }: Cassette, fresh: Cassette) {
  if (fresh.proposedParams) return fresh.proposedParams
  const { params = {} } = fresh
  const open = Object.entries(proposedParams).filter(([name]) => !Object.hasOwn(params, name))
  return open.length > 0 ? Object.fromEntries(open) : undefined
}

/**
 * Dates change only where something else changed. The date of each old answer is not stored, so a recording can count
 * as older than it is.
 */
function datesOf(
  old: Cassette,
  fresh: Cassette,
  turns: readonly MergedTurn[],
  renewsAge: boolean,
): Pick<Cassette, 'timestamp' | 'oldestAnswer'> {
  if (renewsAge) return { timestamp: fresh.timestamp }
  const isAnew =
    old.exchanges.length !== turns.length ||
    turns.some(({ turn, prompt, answer, isRespelled }, index) => {
      if (!('incoming' in turn)) return false
      return (
        isRespelled ||
        prompt !== index ||
        answer !== index ||
        hasOtherMarks(old.exchanges[index], turn)
      )
    })
  const oldest = isAnew ? (old.oldestAnswer ?? old.timestamp) : old.oldestAnswer
  const timestamp = isAnew ? fresh.timestamp : old.timestamp
  const holdsOld = turns.some(({ answer }) => answer !== undefined)
  return { timestamp, ...(oldest && holdsOld ? { oldestAnswer: oldest } : {}) }
}

/** Whether an exchange of the old recording has other marks. */
function hasOtherMarks(exchange: Exchange | undefined, { kept, mocked }: Turn): boolean {
  const marks = exchange && isRecorded(exchange) ? exchange.response : undefined
  return marks?.kept !== kept || marks?.mocked !== mocked
}

/** The values of parameters are only examples, so the old ones are kept. */
function known(old: Cassette['params'] = {}, fresh: NonNullable<Cassette['params']>) {
  return Object.fromEntries(Object.entries(old).filter(([name]) => Object.hasOwn(fresh, name)))
}
