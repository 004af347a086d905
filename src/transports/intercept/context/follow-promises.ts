import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attempt } from '../../../attempt/attempt.ts'
import { builtin } from '../../../real/builtin.ts'
import { isInVmPool } from '../../../real/shared.ts'
import { following, type RecordedCall } from '../../follow-answers.ts'
import { currentScope, isOfEarlierFile, isOfFile } from '../../scope.ts'

/** Whose code has made a promise, and when. */
interface Made {
  by: Attempt
  at: number
}

/** A promise of another test that the answer to a call settles. */
interface Settled extends Made {
  promise: Promise<unknown>
  /** When the first promise was made that the answer had settled by then, and that belongs to the code which asked. */
  first: number
}

/** The promises that the answer to a call settles in one go. */
interface Settling {
  call: RecordedCall
  scope: Attempt
  /** When the first of those was made that belong to the code which asked. */
  first: number
  /** Those of other tests. */
  others: Settled[]
}

/** How a promise shows a value that holds no answer: nothing, or a function that frees a lock. */
const WAKES = /^Promise \{ (undefined|null|true|false|\[ \d+, \[Function.*|\[Function.*) \}$/

/**
 * Whether a promise only wakes its test: a limiter or a lock starts each job in the context of the test whose job it is.
 */
function isWake(promise: Promise<unknown>): boolean {
  const options = { depth: 1, customInspect: false, maxArrayLength: 2, maxStringLength: 0 }
  return WAKES.test(builtin('node:util').inspect(promise, options))
}

/**
 * Notes which test waits for an answer, so that `find-owner.ts` can hand it the call of a queue or a loop. The async
 * context is that of the code which started the queue. So each promise remembers whose code has made it and which
 * answer has led to it, and the first promise of another test that the answer settles tells the test.
 *
 * It slows every promise of the process down, so only runs that record do it. A replay asks which exchanges wait
 * instead.
 */
export function followAnswers(): void {
  // In a vm pool, promises of a context that has ended would hang in it. There, what a queue asks counts as late.
  if (following.follower || isInVmPool()) return
  const made = new WeakMap<Promise<unknown>, Made>()
  const parents = new WeakMap<Promise<unknown>, Promise<unknown>>()
  const causes = new WeakMap<Promise<unknown>, RecordedCall>()
  const linked = new WeakMap<Attempt, WeakSet<Attempt>>()
  const calls = new WeakMap<Attempt, Array<[call: RecordedCall, at: number]>>()
  /** The last call of the running code, for clients that answer by events. */
  const last = new AsyncLocalStorage<RecordedCall>()
  const outer: Array<RecordedCall | undefined> = []
  let cause: RecordedCall | undefined
  let time = 0
  let settling: Settling | undefined

  const link = (one: Attempt, other: Attempt): void => {
    if (!linked.has(one)) linked.set(one, new WeakSet())
    linked.get(one)!.add(other)
  }
  /** Shares the calls of a batch: no promise tells which of its answers is for which of the tests. */
  const shareBatch = ({ scope, call }: Settling, newest: number): void => {
    const batch = (calls.get(scope) ?? []).filter(([one, at]) => !one.waiter && at > newest)
    for (const one of [call, ...batch.map(([other]) => other)]) {
      one.isShared = true
      one.hear?.()
    }
  }
  /** Finds who waits for the answer, once a go has ended and its promises have their values. */
  const endGo = (): void => {
    const now = settling
    settling = undefined
    // One answer is for all whose promises it settles in one go. Later, the queue has turned to the next job.
    if (!now || now.call.waiter) return
    const { call, others } = now
    let newest = -1
    for (const { promise, by, at, first } of others) {
      if (isWake(promise)) continue
      newest = Math.max(newest, at)
      if (call.waiter && call.waiter !== by) call.isShared = true
      call.waiter ??= by
      // The promises of a job are newer than the question, but for those of a test that waits for this answer, too.
      if (call.isShared || first < newest) shareBatch(now, newest)
      else call.hear?.()
    }
  }
  builtin('node:v8').promiseHooks.createHook({
    init(promise, parent) {
      const scope = currentScope()
      if (typeof scope === 'object') made.set(promise, { by: scope, at: time++ })
      // The promise that `await` makes, by that which it waits for.
      if (parent) parents.set(promise, parent)
      if (cause) causes.set(promise, cause)
    },
    before(promise) {
      outer.push(cause)
      endGo()
      const awaited = parents.get(promise)
      cause = (awaited && causes.get(awaited)) ?? causes.get(promise)
    },
    after() {
      cause = outer.pop()
      endGo()
    },
    settled(promise) {
      const call = cause ?? last.getStore()
      const { by: creator, at = 0 } = made.get(promise) ?? {}
      const scope = currentScope()
      const isOther = creator && creator !== scope && typeof scope === 'object'
      if (isOther) {
        link(creator, scope)
        // What that test does next is not the work of the queue.
        causes.delete(promise)
      } else if (call) causes.set(promise, call)
      if (!call || call.waiter || !creator || typeof scope !== 'object') return
      // Whose hooks wait matters where a module of an earlier file asks for them.
      if (isOfFile(creator) && !isOfEarlierFile(scope)) return
      if (settling?.call !== call) {
        endGo()
        settling = { call, scope, first: Infinity, others: [] }
      }
      const { others, first } = settling
      if (isOther) others.push({ promise, by: creator, at, first })
      else settling.first = Math.min(first, at)
    },
  })
  following.follower = {
    begin() {
      const call: RecordedCall = {}
      const scope = currentScope()
      if (typeof scope === 'object') {
        if (!calls.has(scope)) calls.set(scope, [])
        calls.get(scope)!.push([call, time++])
      }
      last.enterWith(call)
      return call
    },
    answered: (call, answer) => void causes.set(answer, call),
    hasSettled: (one, other) => linked.get(other)?.has(one) ?? false,
  }
}
