import { guardChildren } from './guard-children.ts'
import { guardSockets, type GuardWires } from './guard.ts'
import type { TestRules } from './test-rules.ts'

/** The parts of the guard that load when a connection is opened, or a process started. */
export interface GuardParts {
  rules(): TestRules
  wires(): GuardWires
}

/**
 * Guards this process and all that it starts: in replay nothing is sent to a provider, whatever opens
 * the connection, and the test fails whose connection is refused. Returns what ends it.
 */
export function guardTests({ rules, wires }: GuardParts): () => void {
  const endSockets = guardSockets((connection) => rules().judge(connection), wires)
  const endChildren = guardChildren(() => rules().children)
  return () => {
    endSockets()
    endChildren()
  }
}
