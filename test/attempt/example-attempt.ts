import { onlyReplayed } from '../../src/engine/adopt.ts'
import type { Session } from '../../src/engine/session.ts'
import { Attempt } from '../../src/attempt/attempt.ts'
import type { Ended, OpenSession, Owner } from '../../src/attempt/owner.ts'

/** An attempt whose session is there. */
export function attemptWith(session: Session, close = async (): Promise<Ended> => ({})): Attempt {
  const owner: Owner = {
    root: '/',
    test: () => session.test,
    path: () => 'a.json',
    hasCassette: () => true,
    shown: (path) => path,
  }
  const open: OpenSession = { session, owner, another: () => open }
  return new Attempt(owner, session.config, { open: () => open, onlyReplayed, close })
}
