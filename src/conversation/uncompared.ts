import type { Exchange } from '../cassette/format/cassette.ts'
import { contextOf } from './context/context-content.ts'
import type { Entry } from './entry.ts'

/** What the exchanges of a thread that a person wrote do not say of their requests, and what is therefore not compared. */
export function uncomparedIn(
  exchanges: readonly Exchange[],
  entries: readonly Entry[],
): { uncompared?: string[] } {
  const written = exchanges.filter(({ wire }) => !wire)
  if (written.length === 0) return {}
  const names = written.flatMap(({ prompt }) => Object.keys(prompt.metadata))
  const isContext = written.every((exchange) => contextOf(exchange))
  const has = (role: Entry['role']): boolean => entries.some((entry) => entry.role === role)
  const isUntold = ({ result }: { result?: unknown }): boolean => result === undefined
  const calls = entries.flatMap((entry) => (entry.role === 'assistant' ? entry.calls : []))
  const isNamed = entries.every((entry) => entry.role !== 'user' || entry.userId !== undefined)
  const uncompared = [
    ...(isContext ? [] : ['all but the last text of the user']),
    ...(isContext && !has('system') ? ['instructions'] : []),
    ...(isContext && !isNamed ? ['names of users'] : []),
    ...(isContext && calls.some(isUntold) ? ['results of calls'] : []),
    ...(isContext ? ['tools'] : []),
    ...(written.every(({ prompt }) => 'model' in prompt.metadata) ? [] : ['model']),
    names.some((name) => !KNOWN.has(name)) ? 'other parameters' : 'parameters',
  ]
  return { uncompared }
}

const KNOWN = new Set(['context', 'model', 'provider', 'operation'])
