import type { Session } from './session.ts'

/** True when every exchange of a valid cassette was replayed for its own prompt, and nothing else was asked. */
export function onlyReplayed(session: Session): boolean {
  const { arrived, misses, faults, fault, validity } = session
  // What a test was asked for can have become another's.
  const isReplay =
    arrived.length > 0 && arrived.every((one) => one.replayed && !one.undeclared && !one.kept)
  const isPlain = misses.length === 0 && !faults && !fault
  return isReplay && isPlain && session.unused.length === 0 && !validity.isInvalid
}
