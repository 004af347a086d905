import { printable } from '../../text/printable.ts'
import { isSamePlace, type FollowedAddress } from '../../engine/followed-addresses.ts'
import type { Miss } from '../../engine/session-contract.ts'
import type { Session } from '../../engine/session.ts'
import { paint } from '../labelled.ts'

/** The lead to the address of a request, where nothing is recorded at that address. */
export function followedAddressOf(
  session: Session,
  { incoming }: Miss,
): FollowedAddress | undefined {
  const lead = session.leads.to(incoming.wire.url)
  const url = new URL(incoming.wire.url)
  const isKnown = session.recorded.some(
    (known) => known.incoming && isSamePlace(new URL(known.incoming.wire.url), url),
  )
  return isKnown ? undefined : lead
}

/** One plain line that names the answer that led the application there. */
export function headlineOfFollowed({ asked, to, by }: FollowedAddress): string {
  const verb = by === 'redirect' ? 'redirects' : 'leads'
  return printable(
    `The recorded answer of ${asked.method} ${asked.url} ${verb} to ${to.href}; nothing is recorded there`,
  )
}

/** The remedy: the answer was edited by hand, or the cassette lacks the requests that follow it. */
export function adviseOnFollowed({ test }: Session, { to }: FollowedAddress): string {
  return (
    `Nothing was sent to ${printable(to.host)}. If the answer was edited, restore the cassette from git.\n` +
    `If it is meant to lead there, record this test again:\n  ${paint.bold(test.recordCommand)}`
  )
}
