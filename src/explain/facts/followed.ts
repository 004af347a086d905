import { isSamePlace, type FollowedAddress } from '../../engine/followed-addresses.ts'
import type { Miss } from '../../engine/session-contract.ts'
import type { Session } from '../../engine/session.ts'

/** The lead to the address of a request, where nothing is recorded at that address. */
export function followedAddressOf(
  session: Session,
  { incoming }: Miss,
): FollowedAddress | undefined {
  const lead = session.leads.to(incoming.wire.url)
  if (!lead) return undefined
  const url = new URL(incoming.wire.url)
  const isKnown = session.recorded.some(
    (known) => known.incoming && isSamePlace(new URL(known.incoming.wire.url), url),
  )
  return isKnown ? undefined : lead
}
