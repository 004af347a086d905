import { sendsNothing } from '../../../config/mode.ts'
import { adopt, takeOut } from '../../../engine/adopt.ts'
import type { Incoming } from '../../../engine/incoming.ts'
import type { Answer } from '../../../engine/session-contract.ts'
import type { Session } from '../../../engine/session.ts'
import type { Attempt } from '../../../attempt/attempt.ts'
import type { RequestContext } from '../context/request-context.ts'
import { following } from '../../follow-answers.ts'
import { isOfEarlierFile, isOfFile } from '../../scope.ts'
import { possibleOwners, type PossibleOwners } from './possible-owners.ts'

/** The attempt to which a call belongs. */
export interface Owned {
  owner: Attempt
  /** Takes the answer of its session. */
  note(answer: Answer): void
}

/**
 * Finds the attempt to which a call belongs; `undefined` where only its scope can be meant. A queue, a loop or a batcher
 * makes the calls of all tests in the scope of the code that started it. An exchange that waits for the prompt decides.
 * Without one, a call is that of the only test that runs, if its scope has ended. While recording beside other tests,
 * it goes to the one that waits for the answer.
 *
 * @param readFor reads the request by the options of a session
 */
export function findOwner(
  scope: Attempt,
  context: RequestContext,
  readFor: (session: Session) => Incoming,
): Owned | undefined {
  const possible = possibleOwners(scope, context.order)
  if (!possible) return undefined
  const waits = ({ session }: Attempt): boolean => session.waitsFor(readFor(session))
  const owner = choose(scope, context, possible, waits)
  return {
    owner,
    note(answer) {
      const { call } = context
      if (answer.action === 'refuse' && isOfFile(owner))
        answer.miss.running = possible.others.map((test) => test.session.test)
      if (answer.action === 'refuse' && owner === scope)
        owner.session.ofFile = possible.ofFile?.session
      if (answer.action === 'refuse' && owner !== scope) {
        answer.miss.starter = scope.owner.test(scope.config.dir).id
        owner.lent.push({ from: scope, miss: answer.miss })
      }
      if (answer.action !== 'record') return
      const { recording } = answer
      // What the end of a fixture asks is the file's, and no riddle.
      if (owner !== scope && (possible.others.length > 0 || isOfEarlierFile(scope)))
        owner.lent.push({ from: scope, recording, call })
      if (!call || owner === possible.alone) return
      let holder = owner
      call.hear = () => {
        const { waiter, isShared } = call
        const next = isShared ? possible.ofFile : possible.others.find((test) => test === waiter)
        if (!next || next === holder) return
        const asked = takeOut(holder.session, recording)
        if (!asked) return
        adopt(next.session, asked)
        holder = next
        if (isShared) next.lent.push({ from: scope, recording, call })
      }
      call.hear()
    },
  }
}

function choose(
  scope: Attempt,
  { order }: RequestContext,
  { others, alone, ofFile }: PossibleOwners,
  waits: (attempt: Attempt) => boolean,
): Attempt {
  const isRunning = !isOfFile(scope) && !scope.isOver(order)
  if ((isRunning || isOfFile(scope) || scope.isLeft) && waits(scope)) return scope
  const waiting = [...others, ...(ofFile ? [ofFile] : [])].find(waits)
  if (waiting) return waiting
  // Hooks of the next file can ask by a module that an earlier one has imported.
  const next = others.length === 0 && isOfEarlierFile(scope) ? ofFile : undefined
  if (!sendsNothing((alone ?? scope).config.mode)) {
    if (isRunning || isOfFile(scope)) return scope
    if (others.length > 0) return alone ?? ofFile ?? scope
    // The file can go on with code of a test that has ended, as it does at the end of a fixture for the file.
    const endsFixture = ofFile && following.follower?.hasSettled(ofFile, scope)
    return next ?? (endsFixture ? ofFile : scope)
  }
  if (isRunning && hasWaiting(scope)) return scope
  const open = (next ? [next] : others).filter(hasWaiting)
  return open.length === 1 ? open[0]! : scope
}

/** Whether an exchange of an attempt waits for any request. */
function hasWaiting({ session }: Attempt): boolean {
  return session.unused.length > 0
}
