import { builtin } from '../../../real/builtin.ts'
import type { JudgeConnection } from './guard-policy.ts'
import { replaceOnce } from '../../../real/replace-once.ts'
import { whenLoaded } from '../patch/when-loaded.ts'

const NAMES = ['lookup', 'resolve', 'resolve4', 'resolve6'] as const

/**
 * Guards look-ups of host names as well as sockets: some clients look an address up by themselves, and connect to a
 * bare IP address.
 */
export function guardNames(judge: JudgeConnection): void {
  whenLoaded(['node:dns', 'node:dns/promises'], () => {
    const undo = NAMES.flatMap((name) => guardName(name, judge))
    return () => undo.forEach((end) => end())
  })
}

function guardName(name: (typeof NAMES)[number], judge: JudgeConnection): Array<() => void> {
  const dns = builtin('node:dns')
  const refusal = (host: unknown): Error | undefined =>
    judge({ host: String(host), port: 443, transport: 'node:dns' })
  return [
    replaceOnce(dns, name, (find) => {
      const guarded = (host: unknown, ...rest: unknown[]): unknown => {
        const error = refusal(host)
        const done = rest.at(-1)
        if (!error || typeof done !== 'function') return Reflect.apply(find, dns, [host, ...rest])
        return process.nextTick(done as (error: Error) => void, error)
      }
      return guarded as typeof find
    }),
    replaceOnce(dns.promises, name, (find) => {
      const guarded = async (host: unknown, ...rest: unknown[]): Promise<unknown> => {
        const error = refusal(host)
        if (error) throw error
        return Reflect.apply(find, dns.promises, [host, ...rest])
      }
      return guarded as typeof find
    }),
  ]
}
