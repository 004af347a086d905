import type { Session } from './session.ts'

/** True when every exchange of a valid cassette was replayed for its own prompt, and nothing else was asked. */
export function onlyReplayed({ asked, misses, config, fault, unused, validity }: Session): boolean {
  const isReplay = asked.every(({ replayed, undeclared, kept }) => replayed && !undeclared && !kept)
  const isPlain = misses.length === 0 && config.faults.length === 0 && !fault
  return isReplay && isPlain && unused.length === 0 && !validity.isInvalid
}
