import { rawHashOf } from '../../cassette/format.ts'
import { copyPlain, equal } from '../../json/walk.ts'
import { asItWasSent, type Body } from '../../wire/body.ts'
import { hostWithoutPort } from '../../wire/address.ts'
import type { Incoming } from '../../engine/incoming.ts'
import type { WireRequest } from '../../wire/message.ts'

/**
 * A recorded request in the spelling of an equal one of today, by which it is replayed by its hash again; `undefined`
 * where it keeps its own. Ids of calls and hosts stay as recorded: other runs and machines have others.
 */
export function spelledAsNow(
  recorded: WireRequest,
  { wire, sent }: Incoming,
): WireRequest | undefined {
  const [old, now] = [recorded.body, asItWasSent(wire.body, sent.body)]
  if (recorded.imported || recorded.method !== wire.method || !saysTheSame(old, now))
    return undefined
  const url = urlOf(recorded.url, wire.url)
  const request = { ...recorded, url, body: now }
  return rawHashOf(request) === rawHashOf(recorded) ? undefined : request
}

/** Whether two bodies differ in the order of keys, white space, escapes and the spelling of numbers alone. */
function saysTheSame(one: Body, other: Body): boolean {
  if (one.kind !== 'json' || other.kind !== 'json') return false
  return equal(one.value, other.value) || equal(copyPlain(one.value), copyPlain(other.value))
}

/** The recorded address, with the path and query of today where the host is the same. */
function urlOf(recorded: string, today: string): string {
  const [old, now] = [new URL(recorded), new URL(today)]
  const isSame = old.pathname + old.search === now.pathname + now.search
  return isSame || hostWithoutPort(old) !== hostWithoutPort(now) ? recorded : today
}
