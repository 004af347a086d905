import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attempt } from '../../host/attempt.ts'
import { builtin } from '../../real/builtin.ts'
import { isInVmPool } from '../../real/vm-pool.ts'
import { following, type RecordedCall } from './recorded-call.ts'
import { currentScope, isOfFile } from './scope.ts'

/**
 * Finds the test for which a queue or a loop makes a call: the test that waits for the answer. The async context is
 * that of the code which started the queue. So each promise remembers whose code has made it and which answer has led
 * to it, and the first promise of another test that the answer settles tells the test.
 *
 * It slows every promise of the process down, so only runs that record do it.
 */
export function followAnswers(): void {
  // In a vm pool, promises of a context that has ended would hang in it. There, what a queue asks counts as late.
  if (following.follower || isInVmPool()) return
  const creators = new WeakMap<Promise<unknown>, Attempt>()
  const parents = new WeakMap<Promise<unknown>, Promise<unknown>>()
  const causes = new WeakMap<Promise<unknown>, RecordedCall>()
  const linked = new WeakMap<Attempt, WeakSet<Attempt>>()
  /** The last call of the running code, for clients that answer by events. */
  const last = new AsyncLocalStorage<RecordedCall>()
  const outer: Array<RecordedCall | undefined> = []
  /** When the answer to a call settled promises of other tests. */
  const turnOf = new WeakMap<RecordedCall, number>()
  let cause: RecordedCall | undefined
  let turn = 0

  const link = (one: Attempt, other: Attempt): void => {
    if (!linked.has(one)) linked.set(one, new WeakSet())
    linked.get(one)!.add(other)
  }
  builtin('node:v8').promiseHooks.createHook({
    init(promise, parent) {
      const scope = currentScope()
      if (typeof scope === 'object') creators.set(promise, scope)
      // The promise that `await` makes, by that which it waits for.
      if (parent) parents.set(promise, parent)
      if (cause) causes.set(promise, cause)
    },
    before(promise) {
      outer.push(cause)
      turn++
      const awaited = parents.get(promise)
      cause = (awaited && causes.get(awaited)) ?? causes.get(promise)
    },
    after() {
      cause = outer.pop()
    },
    settled(promise) {
      const by = cause ?? last.getStore()
      const creator = creators.get(promise)
      const scope = currentScope()
      if (!creator || creator === scope || typeof scope !== 'object') {
        if (by) causes.set(promise, by)
        return
      }
      link(creator, scope)
      // What that test does next is not the work of the queue.
      causes.delete(promise)
      // One answer is for all whose promises it settles in one go. Later, the queue has turned to the next job.
      if (!by || isOfFile(creator) || (by.waiter && turnOf.get(by) !== turn)) return
      if (by.waiter && by.waiter !== creator) by.isShared = true
      by.waiter ??= creator
      turnOf.set(by, turn)
      by.hear?.()
    },
  })
  following.follower = {
    begin() {
      const call: RecordedCall = {}
      last.enterWith(call)
      return call
    },
    answered: (call, answer) => void causes.set(answer, call),
    hasSettled: (one, other) => linked.get(other)?.has(one) ?? false,
  }
}
