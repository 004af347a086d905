import pc from 'picocolors'
import { printable } from '../diff/render/printable.ts'
import { isSamePlace, type Lead } from '../engine/leads.ts'
import type { Miss } from '../engine/miss.ts'
import type { Session } from '../engine/session.ts'

/** The answer that led to the place of a request, where nothing at all is recorded there. */
export function leadOf(session: Session, { incoming }: Miss): Lead | undefined {
  const lead = session.leads.to(incoming.wire.url)
  const url = new URL(incoming.wire.url)
  const isKnown = session.recorded.some(
    (known) => known.incoming && isSamePlace(new URL(known.incoming.wire.url), url),
  )
  return isKnown ? undefined : lead
}

/** One plain line that says who led the application there. */
export function headlineOfLead({ asked, to, by }: Lead): string {
  const verb = by === 'redirect' ? 'redirects' : 'leads'
  return printable(
    `The recorded answer of ${asked.method} ${asked.url} ${verb} to ${to.href}; nothing is recorded there`,
  )
}

/** What settles it: the answer was edited, or the cassette was recorded without what follows. */
export function adviseOnLead({ test }: Session, { to }: Lead, color: boolean): string {
  const { bold } = pc.createColors(color)
  return (
    `Nothing was sent to ${printable(to.host)}. If somebody edited the answer, restore the cassette from git.\n` +
    `If it is meant to lead there, record this test again:\n  ${bold(test.recordCommand)}`
  )
}
