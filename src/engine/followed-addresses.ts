import type { JsonValue } from '../json/json-value.ts'
import { textsOfJson } from '../json/walk.ts'
import { isRecorded, type Cassette } from '../cassette/cassette.ts'
import type { WireRequest } from '../wire/message.ts'
import type { Incoming } from './incoming.ts'
import { isSaidAt, leading, mayLead, type Naming } from './may-lead.ts'

/** An address in an answer to which its client sends the next request, such as the target of a redirect. */
export interface FollowedAddress {
  /** The request that was answered. */
  asked: WireRequest
  to: URL
  /** The part of the answer that names it: the location of a redirect, the location of another answer, or the body. */
  by: 'redirect' | 'location' | 'body'
}

/** A request as sent, and as stored. */
type Asking = Pick<Incoming, 'sent' | 'wire'>

/** A text that is an address and nothing else. */
const ADDRESS = /^\s*(?:https?|wss?):\/\//i

/**
 * The addresses to which the answers of one attempt lead. A client continues there for the call that was answered,
 * often with the same prompt and the same key, whatever the host.
 */
export class FollowedAddresses {
  readonly #answered: Array<{ asked: Asking; answer: Naming; leads?: FollowedAddress[] }> = []

  /** Notes an answer as its client gets it, and returns it. */
  add<Answer extends Naming>(asked: Asking, answer: Answer): Answer {
    if (mayLead(asked.sent.url, answer.headers)) this.#answered.push({ asked, answer })
    return answer
  }

  /** The lead to an address; `undefined` where no answer leads there. */
  to(address: string): FollowedAddress | undefined {
    if (this.#answered.length === 0 || !URL.canParse(address)) return undefined
    const url = new URL(address)
    for (const known of this.#answered) {
      known.leads ??= followedAddressesOf(known.asked.wire, known.answer)
      const lead = known.leads.find((one) => covers(one, url))
      if (lead && !(lead.by === 'body' && this.#isAskedFor(lead))) return lead
    }
    return undefined
  }

  /** Whether a request named the address itself, such as a callback: then no answer leads there. */
  #isAskedFor({ to }: FollowedAddress): boolean {
    return this.#answered.some(({ asked }) =>
      addressesIn(asked.wire.body).some((address) => isSamePlace(new URL(address), to)),
    )
  }
}

/** Every address that an answer names. */
export function followedAddressesOf(
  asked: WireRequest,
  { status, headers, body }: Naming,
): FollowedAddress[] {
  const by = status >= 300 && status < 400 ? 'redirect' : 'location'
  // Clients turn the bytes of a header into text in two ways.
  const located = leading(headers).flatMap((text) => [
    ...new Set([text, Buffer.from(text, 'latin1').toString()]),
  ])
  const named = isSaidAt(asked.url) ? [] : addressesIn(body)
  return [
    ...located
      .flatMap((text) => URL.parse(text, asked.url) ?? [])
      .map((to) => ({ asked, to, by }) as const),
    ...named.map((text) => ({ asked, to: new URL(text), by: 'body' as const })),
  ]
}

/**
 * The exchanges of a cassette whose location leads to another host, to an address with no recorded request. Clients
 * follow a location on their own.
 */
export function strayLocations({
  exchanges,
}: Cassette): Array<{ index: number; lead: FollowedAddress }> {
  const asked = exchanges.filter(isRecorded).map(({ wire }) => new URL(wire.request.url))
  return exchanges.flatMap((exchange, index) => {
    if (!isRecorded(exchange)) return []
    const { request, response } = exchange.wire
    const lead = followedAddressesOf(request, response).find(
      (one) =>
        one.by !== 'body' && leavesHost(one) && !asked.some((url) => isSamePlace(url, one.to)),
    )
    return lead ? [{ index, lead }] : []
  })
}

/** True where an answer leads away from the host that was asked, or to it without encryption. */
function leavesHost({ asked, to }: FollowedAddress): boolean {
  const from = new URL(asked.url)
  return (
    plainHost(to) !== plainHost(from) || (from.protocol === 'https:' && to.protocol === 'http:')
  )
}

/** Whether two URLs have the same host and path, whatever their query. */
export function isSamePlace(one: URL, other: URL): boolean {
  return plainHost(one) === plainHost(other) && one.pathname === other.pathname
}

/** A redirect to another host covers all of that host. Any other lead covers its address and the paths below. */
function covers(lead: FollowedAddress, url: URL): boolean {
  if (plainHost(lead.to) !== plainHost(url)) return false
  if (lead.by === 'redirect' && leavesHost(lead)) return true
  return `${url.pathname}/`.startsWith(`${lead.to.pathname}/`)
}

function addressesIn(value: unknown): string[] {
  return textsOfJson(value as JsonValue).filter((text) => ADDRESS.test(text) && URL.canParse(text))
}

/** The host and port, without the dot of the DNS root, which does not change the host. */
function plainHost({ host }: URL): string {
  return host.replace(/\.(?=:|$)/, '')
}
