import type { Exchange } from '../cassette/format/cassette.ts'
import { hashOfText, readHash } from '../cassette/format/written-hash.ts'
import { callsIn, type Entry } from './entry.ts'
import { contextOf } from './context/context-content.ts'

/** The parts of requests that the hand-written exchanges of a thread do not state, so that they are not compared. */
export function uncomparedIn(
  exchanges: readonly Exchange[],
  entries: readonly Entry[],
): { uncompared?: string[] } {
  const written = exchanges.filter((exchange) => !exchange.wire && !hasHashOfRequest(exchange))
  if (written.length === 0) return {}
  const names = written.flatMap(({ prompt }) => Object.keys(prompt.metadata))
  const isContext = written.every((exchange) => contextOf(exchange))
  const has = (role: Entry['role']): boolean => entries.some((entry) => entry.role === role)
  const isUntold = ({ result }: { result?: unknown }): boolean => result === undefined
  const calls = callsIn(entries)
  const isNamed = entries.every((entry) => entry.role !== 'user' || entry.userId !== undefined)
  const uncompared = [
    ...(isContext ? [] : ['all but the last text of the user']),
    ...(isContext && !has('system') ? ['instructions'] : []),
    ...(isContext && !isNamed ? ['names of users'] : []),
    ...(isContext && calls.some(isUntold) ? ['results of calls'] : []),
    ...(isContext ? ['tools', 'pictures and files'] : []),
    ...(written.every(({ prompt }) => 'model' in prompt.metadata) ? [] : ['model']),
    names.some((name) => !KNOWN.has(name)) ? 'other parameters' : 'parameters',
  ]
  return { uncompared }
}

/** Whether an exchange has the hash of its whole request, which covers every part of it. */
function hasHashOfRequest({ prompt }: Exchange): boolean {
  const hash = prompt.hash === undefined ? undefined : readHash(prompt.hash)
  return hash !== undefined && hash !== hashOfText(prompt.text)
}

const KNOWN = new Set(['context', 'model', 'provider', 'operation'])
